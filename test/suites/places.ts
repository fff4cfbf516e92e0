import { afterAll } from 'vitest';
import { aDynaliteTable, type DynaliteTable } from '../builders/dynalite-table.ts';

let table: Promise<DynaliteTable> | undefined;
let places = 0;

/** The dynalite table of this file's tests, ended after the last of them. */
export function dynaliteTable(): Promise<DynaliteTable> {
  if (table === undefined) {
    const started = aDynaliteTable();
    table = started;
    afterAll(async () => (await started).stop());
  }
  return table;
}

/** An owner that no other test has, so that tests can share a table. */
export function aNewOwner(): string {
  return `owner-${++places}`;
}
