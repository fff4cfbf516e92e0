import { readFile } from 'node:fs/promises';
import type { OtherS3 } from '@media-jobs/local-stage';
import * as z from 'zod';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { jsonText } from '../../core/json-text.ts';
import { readSettings, SettingsError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The settings of the stage `local` in cdk.json, replaced by those of a JSON file. `values` are the settings as written, if
 * there is a file.
 *
 * @throws SettingsError for a file that cannot be read, or the first invalid setting
 */
export async function localSettings(file: string | undefined): Promise<{ settings: Settings; values?: object }> {
  const { local } = cdkJson.context.stages;
  const values = file === undefined ? undefined : { ...local, ...(await readValues(file)) };
  return { settings: readSettings({ local: values ?? local }, 'local'), values };
}

const valuesSchema = jsonText(z.record(z.string(), z.unknown()));

async function readValues(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new SettingsError(`--settings: ${file} could not be read (${code}).`);
  });
  const values = valuesSchema.safeParse(text);
  if (!values.success) throw new SettingsError(`--settings: ${file} must be a JSON object of settings.`);
  return values.data;
}

const keysSchema = z.object({
  AWS_ACCESS_KEY_ID: z.string().min(1),
  AWS_SECRET_ACCESS_KEY: z.string().min(1),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
});

/**
 * The S3 server of `--s3`, with its keys from the environment.
 *
 * @throws SettingsError without keys, buckets or a valid URL
 */
export function readOtherS3(url: string, buckets: readonly string[]): OtherS3 {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.pathname !== '/') {
    throw new SettingsError(`--s3 is ${url}; expected the base URL of an S3 server, such as http://127.0.0.1:8333.`);
  }
  if (buckets.length === 0) throw new SettingsError('--s3 needs the setting "buckets", which names what is there.');
  const keys = keysSchema.safeParse(process.env);
  if (!keys.success) throw new SettingsError('--s3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of its server.');
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = keys.data;
  const credentials = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
  return { endpoint: parsed.origin, credentials, region: AWS_REGION, buckets };
}
