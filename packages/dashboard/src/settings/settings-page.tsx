import '../styles/deferred.ts';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { DefaultStorage } from './default-storage.tsx';
import { DefaultWebhook } from './default-webhook.tsx';
import { EraseAccount } from './erase-account.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { WebhookEndpoints } from './webhook-endpoints.tsx';

export function SettingsPage() {
  const { client } = useApi();
  const query = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => client.getSettings({ signal }) });
  const { data } = query;
  return (
    <Page title="Settings" lead="Settings apply to all jobs and everyone in this account.">
      <LoadProblem of="settings" query={query} />
      {query.isPending ? <Skeleton height={220} aria-label="Loading settings" /> : null}
      {data === undefined ? null : (
        <Stack gap="lg" maw={760}>
          <DefaultWebhook saved={data.defaultWebhookUrl} />
          <SigningSecret />
          <WebhookEndpoints />
          <DefaultStorage saved={data.defaultStorageProviderId} />
          <EraseAccount />
        </Stack>
      )}
    </Page>
  );
}
