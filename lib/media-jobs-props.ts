import type * as z from 'zod';
import type { settingsSchema } from './settings/settings.ts';

type SettingsValues = z.input<typeof settingsSchema>;

/** The settings of a stage as in cdk.json, with its name: `dev` by default. */
export type MediaJobsProps = Omit<SettingsValues, 'stage' | 'identityProvider'> & {
  stage?: SettingsValues['stage'];
  identityProvider?: 'cognito' | SettingsValues['identityProvider'];
};
