/** `createJob` as `create-job`: the name of a route's handler file, bundle and function. */
export function kebabCase(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `create-job` as `CreateJob`: the construct id of a function. */
export function pascalCase(functionName: string): string {
  return functionName.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
