export { aPoolOf, payloadOf } from './builders/a-pool.ts';
export { noTasks } from './builders/a-state-machine.ts';
export { endpoints } from './builders/endpoints.ts';
export { renamedTemplate } from './builders/renamed-template.ts';
export type { Resource } from './builders/resources.ts';
