import { type Contract, contract } from '../../../core/api/contract.ts';

const common = { tag: 'Fixtures', summary: 'A fixture', responses: {}, errors: [] } as const;

/** Three routes that together use the table, the queue and the bucket; one of them is public. */
export const fixtureContracts: readonly Contract[] = [
  contract({
    ...common,
    id: 'createThing',
    function: 'create-thing',
    method: 'POST',
    path: '/api/v1/things',
    callers: ['key', 'session'],
    uses: ['table.put', 'queue.send'],
  }),
  contract({
    ...common,
    id: 'getThing',
    function: 'get-thing',
    method: 'GET',
    path: '/api/v1/things/{id}',
    callers: ['key'],
    uses: ['table.get', 'outputs.get', 'files.link'],
  }),
  contract({
    ...common,
    id: 'describeThings',
    function: 'describe-things',
    method: 'GET',
    path: '/api/v1/things',
    callers: [],
    uses: [],
  }),
];
