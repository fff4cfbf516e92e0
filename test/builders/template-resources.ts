import type { Template } from 'aws-cdk-lib/assertions';

/** The properties of every resource of one type. */
export function resourcesOf(template: Template, type: string): Record<string, unknown>[] {
  return Object.values(template.findResources(type)).map(({ Properties }) => Properties);
}
