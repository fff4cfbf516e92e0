/**
 * Stands in for the SDK's endpoint discovery in every bundle: DynamoDB has it switched off unless a client asks, and
 * none does; it would bring a cache of 10 KB. A name that the SDK should want beside these stops the build.
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
