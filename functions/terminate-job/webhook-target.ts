import type { Job } from '../../core/jobs/record.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';

/** Who is to be told of a job's end at this moment: its own `webhookUrl`, else the owner's default, else nobody. */
export async function resolveWebhookTarget(
  { settings }: { settings: Pick<SettingsTable, 'get'> },
  { ownerId, request }: Job,
): Promise<string | null> {
  return request.webhookUrl ?? (await settings.get(ownerId)).defaultWebhookUrl;
}
