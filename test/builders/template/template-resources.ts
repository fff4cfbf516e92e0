import type { Template } from 'aws-cdk-lib/assertions';

/** The properties of every resource of one type. */
export function resourcesOf(template: Template, type: string): Record<string, unknown>[] {
  return Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}

/** The properties of the only resource of a type. */
export function theOnly(template: Template, type: string): Record<string, unknown> {
  const [properties, ...others] = resourcesOf(template, type);
  if (properties === undefined || others.length > 0) {
    throw new Error(`The template has ${others.length + (properties ? 1 : 0)} resources of type ${type}`);
  }
  return properties;
}
