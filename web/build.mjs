// Builds dist/ from src/, html/ and assets/: everything a page needs, nothing from elsewhere.
// With --check it builds beside dist/ and says whether dist/ is what the sources give.

import { build } from 'esbuild';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PAGES = ['wall', 'table', 'embed', 'arbiter'];

const check = process.argv.includes('--check');
const root = import.meta.dirname;
const dist = join(root, 'dist');
const out = check ? await mkdtemp(join(root, 'node_modules/.check-')) : dist;

await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'assets'), { recursive: true });
await cp(join(root, 'html'), out, { recursive: true });
await cp(join(root, 'assets'), join(out, 'assets'), { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/early.ts', ...PAGES.map((page) => `src/pages/${page}.ts`)],
  entryNames: '[name]',
  chunkNames: 'shared-[hash]',
  assetNames: '[name]',
  outdir: join(out, 'assets'),
  publicPath: '/assets',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'chrome107', 'firefox115', 'safari16'],
  minify: true,
  legalComments: 'none',
  alias: { barlow: '@fontsource/barlow-semi-condensed/files' },
  loader: { '.woff2': 'file' },
  metafile: true,
  logLevel: 'warning',
});
await writeFile(join(out, 'assets/licences.txt'), await licences(metafile));
if (check) process.exitCode = await compare(out, dist);
else report(metafile);

/** The licence texts of the packages whose code, pieces or fonts are in the bundle. */
async function licences({ inputs }) {
  const names = Object.keys(inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter(Boolean);
  const texts = [...new Set(names)].sort().map(licenceOf);
  return (await Promise.all(texts)).join('\n');
}

async function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : '';
  return `${'='.repeat(72)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}

async function compare(fresh, committed) {
  const [a, b] = await Promise.all([contents(fresh), contents(committed)]);
  await rm(fresh, { recursive: true, force: true });
  const names = [...new Set([...a.keys(), ...b.keys()])].sort();
  const differing = names.filter((name) => a.get(name) !== b.get(name));
  for (const name of differing) console.error(`dist/${name} is not what the sources give`);
  if (differing.length === 0) console.log('dist/ is current');
  else console.error('run `npm run build`');
  return differing.length === 0 ? 0 : 1;
}

async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const pairs = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), await readFile(path, 'base64')];
  });
  return new Map(await Promise.all(pairs));
}

function report({ outputs }) {
  for (const [path, { bytes }] of Object.entries(outputs)) {
    console.log(`${String(Math.ceil(bytes / 1024)).padStart(5)} kB  ${path}`);
  }
}
