export type { DemoHost } from './demo/demo-host.ts';
export { formatResult } from './demo/demo-result.ts';
export { runDemo } from './demo/run-demo.ts';
export { submitAndFollow } from './demo/submit-and-follow.ts';
