export type { DemoHost } from './demo/demo-host.ts';
export { formatResult, runDemo, submitAndFollow } from './demo/run-demo.ts';
