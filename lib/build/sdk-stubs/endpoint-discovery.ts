/**
 * Replaces the SDK's endpoint discovery in every bundle and saves 10 KB. DynamoDB clients use it only if configured,
 * and none is. If the SDK imports a further name, the build fails.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

export function resolveEndpointDiscoveryConfig<Input extends object>(input: Input): Input {
  return input;
}

export function getEndpointDiscoveryPlugin(): { applyToStack(): void } {
  return { applyToStack: () => undefined };
}
