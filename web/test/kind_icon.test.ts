/** Every kind of alert has its sign. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { signOf } from '../src/view/kind_icon';

const SCHEMA = readFileSync(join(process.cwd(), '../docs/schema/v1/alert.json'), 'utf8');

test('every kind of alert has a sign', () => {
  const { kind } = JSON.parse(SCHEMA).properties;
  const kinds: string[] = kind.enum ?? [];
  assert.ok(kinds.length > 50, `${kinds.length} kinds`);
  assert.deepEqual(
    kinds.filter((it) => signOf(it) === null),
    [],
  );
});
