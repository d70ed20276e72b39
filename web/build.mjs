// Builds dist/ from src/, html/ and assets/: everything a page needs, nothing from elsewhere.
// With --check it builds beside dist/ and says whether dist/ is what the sources give.

import { build } from 'esbuild';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { words } from './words.mjs';

/** The documents, what runs in them, and what their heads have besides. */
const ARBITER = [
  '<link rel="manifest" href="/assets/arbiter.webmanifest" />',
  '<link rel="apple-touch-icon" href="/assets/apple-touch-icon.png" />',
  '<meta name="theme-color" content="#1f6b4f" />',
];
const PAGES = {
  index: { script: 'wall' },
  table: { script: 'table' },
  embed: { script: 'embed' },
  setup: { script: 'setup' },
  // Marks on its boards and windows closing are styled by attribute.
  arbiter: { script: 'arbiter', styles: " style-src-attr 'unsafe-inline';", head: ARBITER },
};
/** Of a font with thousands of signs, those that stand for pieces. */
const FIGURINES = '♔♕♖♗♘';

const check = process.argv.includes('--check');
const root = import.meta.dirname;
const dist = join(root, 'dist');
const out = check ? await mkdtemp(join(root, 'node_modules/.check-')) : dist;

await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'assets'), { recursive: true });
await writePages();
await cp(join(root, 'assets'), join(out, 'assets'), { recursive: true });
const scripts = Object.values(PAGES).map(({ script }) => script);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/early.ts', ...scripts.map((script) => `src/pages/${script}.ts`)],
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
  alias: {
    barlow: '@fontsource/barlow-semi-condensed/files',
    symbols: '@fontsource/noto-sans-symbols-2/files',
  },
  plugins: [{ name: 'figurines', setup: onlyFigurines }, words],
  loader: { '.woff2': 'file' },
  metafile: true,
  logLevel: 'warning',
});
await writeFile(join(out, 'assets/licences.txt'), await licences(metafile));
await buildServiceWorker();
if (check) process.exitCode = await compare(out, dist);
else report(metafile);

async function writePages() {
  const frame = await readFile(join(root, 'html/page.html'), 'utf8');
  for (const [page, { script, styles = '', head = [] }] of Object.entries(PAGES)) {
    const lines = head.map((line) => `    ${line}\n`).join('');
    const html = frame
      .replaceAll('{script}', script)
      .replace('{styles}', styles)
      .replace('{head}', lines);
    await writeFile(join(out, `${page}.html`), html);
  }
}

/** It keeps what the arbiter's page consists of, and nothing of the other pages. */
async function buildServiceWorker() {
  const others = scripts.filter((script) => script !== 'arbiter');
  const foreign = ['licences.txt', ...others.flatMap((name) => [`${name}.js`, `${name}.css`])];
  const files = (await readdir(join(out, 'assets'))).filter((name) => !foreign.includes(name));
  const paths = ['/arbiter', '/config.json', ...files.sort().map((name) => `/assets/${name}`)];
  await build({
    absWorkingDir: root,
    entryPoints: ['src/service-worker.js'],
    outdir: out,
    define: { FILES: JSON.stringify(paths) },
    target: ['es2022', 'chrome107', 'firefox115', 'safari16'],
    minify: true,
    logLevel: 'warning',
  });
}

function onlyFigurines({ onLoad }) {
  onLoad({ filter: /noto-sans-symbols-2-symbols/ }, async ({ path }) => {
    const font = await subsetFont(await readFile(path), FIGURINES, { targetFormat: 'woff2' });
    return { contents: font, loader: 'file' };
  });
}

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
