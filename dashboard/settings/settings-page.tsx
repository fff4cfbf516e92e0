import '../styles/deferred.ts';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { DefaultWebhook } from './default-webhook.tsx';
import { SigningSecret } from './signing-secret.tsx';

/** The default webhook, and the secret that signs webhooks. */
export function SettingsPage() {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => client.getSettings({ signal }),
  });
  return (
    <Page title="Settings" lead="They hold for every job, and for everyone who shares this account.">
      {error === null ? null : (
        <ErrorCallout title="The settings could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null ? (
        <Skeleton height={220} aria-label="Loading the settings" />
      ) : null}
      {data === undefined ? null : (
        <Stack gap="lg" maw={760}>
          <DefaultWebhook saved={data.defaultWebhookUrl} />
          <SigningSecret />
        </Stack>
      )}
    </Page>
  );
}
