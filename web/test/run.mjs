// Bundles the TypeScript tests and hands them to Node's own test runner.

import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { words } from '../words.mjs';

const root = join(import.meta.dirname, '..');
await mkdir(join(root, 'node_modules'), { recursive: true });
const out = await mkdtemp(join(root, 'node_modules/.tests-'));
const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: names.map((name) => join(import.meta.dirname, name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  sourcemap: 'inline',
  plugins: [words],
  logLevel: 'warning',
});
const files = names.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
const options = ['--enable-source-maps', '--test'];
const { status } = spawnSync(process.execPath, [...options, ...files], { stdio: 'inherit' });
await rm(out, { recursive: true, force: true });
process.exitCode = status ?? 1;
