// Gives the bundles the words of the pages: a module that lists the folders of `words/`, and one
// for the sentences of each, which a page fetches when its reader wants that language.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDERS = join(import.meta.dirname, '../words');
/** King, queen, rook, bishop, knight, as the pages list them. */
const PIECES = ['king', 'queen', 'rook', 'bishop', 'knight'];

export const words = {
  name: 'words',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^words:/ }, ({ path }) => ({ path, namespace: 'words' }));
    onLoad({ filter: /.*/, namespace: 'words' }, async ({ path }) => {
      const code = path.slice('words:'.length);
      const contents = code === 'languages' ? await languages() : await sentences(code);
      return { contents, resolveDir: import.meta.dirname };
    });
  },
};

/** The languages there are: those with a file for the pages. */
async function codes() {
  const folders = await readdir(FOLDERS, { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const files = names.map(async (name) => (await readdir(join(FOLDERS, name))).includes(PAGES));
  const there = await Promise.all(files);
  return names.filter((_, index) => there[index]).sort();
}

const PAGES = 'pages.ftl';

async function languages() {
  const each = (await codes()).map(async (code) => {
    const glossary = await readFile(join(FOLDERS, code, 'glossary.ftl'), 'utf8');
    const told = (name) => new RegExp(`^${name} = (.+)$`, 'm').exec(glossary)?.[1] ?? '';
    const pieces = PIECES.map((piece) => told(`letter_${piece}`)).join('');
    const facts = JSON.stringify({ name: told('language_name'), pieces });
    const fetched = (what, path) => `${what}: () => import('words:${path}')`;
    const others = ['articles', 'settings'].map((file) => fetched(file, `${code}/${file}`));
    const loads = [fetched('load', code), ...others].join(', ');
    return `  ${JSON.stringify(code)}: { ...${facts}, ${loads} },`;
  });
  return `export const LANGUAGES = {\n${(await Promise.all(each)).join('\n')}\n};\n`;
}

/** Without remarks and blank lines, which no page shows. */
async function sentences(path) {
  const [code, file = 'pages'] = path.split('/');
  const text = await readFile(join(FOLDERS, code, `${file}.ftl`), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return `export default ${JSON.stringify(lines.join('\n'))};\n`;
}
