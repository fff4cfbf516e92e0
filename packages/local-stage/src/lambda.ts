export { InvocationError } from './lambda/invocation-error.ts';
export { type InvocationResult, startRuntimeApi } from './lambda/runtime-api.ts';
export { startSandbox } from './lambda/sandbox.ts';
