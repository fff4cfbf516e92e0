import validateDefinition from 'asl-validator';
import type { Problem } from './validate-value.ts';

const anArn = 'arn:aws:lambda:eu-central-1:123456789012:function:name';

/**
 * Validates the definition of a state machine with asl-validator.
 *
 * @param properties of an `AWS::StepFunctions::StateMachine` whose definition is a string without references
 */
export function validateStateMachine(properties: Readonly<Record<string, unknown>>): Problem[] {
  const { DefinitionString: text, DefinitionSubstitutions: substitutions = {} } = properties;
  const path = 'DefinitionString';
  if (typeof text !== 'string') return [{ path, message: 'must be a string without references' }];
  const names = new Set(Object.keys(substitutions as object));
  const missing = [...new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name))]
    .filter((name) => !names.has(name))
    .map((name) => ({ path, message: `\${${name}} has no value in DefinitionSubstitutions` }));
  const definition = parse(text.replaceAll('${Partition}', 'aws').replaceAll(/\$\{\w+\}/g, anArn));
  if (definition === undefined) return [...missing, { path, message: 'is not JSON' }];
  const { errors } = validateDefinition(definition);
  return [
    ...missing,
    ...errors.map((error) => ({
      path: `${path}${(error.schemaError?.instancePath ?? '').replaceAll('/', '.')}`,
      message: `is not valid Amazon States Language: ${error.Message}`,
    })),
  ];
}

function parse(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
