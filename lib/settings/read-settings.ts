import * as z from 'zod';
import { issueMessage } from '../../core/api/issue-message.ts';
import { cognitoProvider } from './identity.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** An invalid setting. The message is one sentence for the operator: which setting, and why. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const stagesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

/**
 * Reads the settings of one stage.
 *
 * @param stages the context value `stages` of cdk.json: an object of settings per stage name
 * @param defaults account, region and image of a stage that sets none
 * @throws SettingsError for an unknown stage, or for the first invalid setting
 */
export function readSettings(
  stages: unknown,
  stage: string,
  defaults: { account?: string | undefined; region?: string | undefined; image?: string | undefined } = {},
): Settings {
  const known = stagesSchema.safeParse(stages);
  if (!known.success) {
    throw new SettingsError('The context value "stages" in cdk.json must be an object of settings per stage name.');
  }
  const stageValues = Object.hasOwn(known.data, stage) ? known.data[stage] : undefined;
  if (!stageValues) {
    const names = Object.keys(known.data).sort().join(', ');
    throw new SettingsError(`There is no stage "${stage}" in cdk.json (context "stages"); there are: ${names}.`);
  }
  const isCognito = stageValues.identityProvider === 'cognito';
  const values = { ...defaults, ...stageValues, stage, ...(isCognito && { identityProvider: cognitoProvider }) };
  const settings = settingsSchema.safeParse(values, { error: settingMessage });
  if (!settings.success) throw new SettingsError(describeIssue(settings.error, stage, values));
  return settings.data;
}

function describeIssue(error: z.ZodError, stage: string, values: unknown): string {
  const [issue] = error.issues;
  if (!issue) return `The settings of stage "${stage}" are invalid.`;
  if (issue.code === 'unrecognized_keys') {
    const name = [...issue.path, issue.keys[0]].join('.');
    return `Setting "${name}" of stage "${stage}" is unknown.`;
  }
  const found = JSON.stringify(valueAt(values, issue.path));
  return `Setting "${issue.path.join('.')}" of stage "${stage}" is invalid: ${issue.message} (found: ${found ?? 'nothing'}).`;
}

/** The message of the API, for a sentence that ends with the value that was found. */
function settingMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const message = issueMessage(issue)?.replace(/; found .*$/s, '');
  return message && message.charAt(0).toLowerCase() + message.slice(1);
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    values,
  );
}
