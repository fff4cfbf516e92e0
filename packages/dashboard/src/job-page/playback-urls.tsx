import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { formatDateTime } from '../format/time.ts';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Note } from '../ui/text.tsx';

/** The output of a completed job that is played; undefined for a job without several outputs. */
export type Played = { jobId: string; output?: string | undefined };

/** Makes the URLs of a stream for viewers on request, to be copied: the playlist, and the code that embeds the player. */
export function PlaybackUrls({ jobId, output }: Played) {
  const { client } = useApi();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => client.createPlayback({ params: { id: jobId }, body: { output } }),
  });
  const embed =
    data && `<iframe src="${data.embedUrl}" width="640" height="360" allow="autoplay; fullscreen"></iframe>`;
  return (
    <Stack gap="xs" mt="md">
      {error === null ? null : <ErrorCallout title="Could not make the URLs" error={error} />}
      {data?.hls === undefined || embed === undefined ? (
        <Group>
          <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
            Make URLs for viewers
          </Button>
        </Group>
      ) : (
        <>
          <Copied label="URL" what="the playback URL" text={data.hls} />
          <Copied label="Embed code" what="the embed code" text={embed} />
          <Note size="xs">
            Valid until {formatDateTime(data.expiresAt)}, delivered by{' '}
            {data.delivery === 'edge' ? 'CloudFront' : 'the API'}.
          </Note>
        </>
      )}
    </Stack>
  );
}

function Copied({ label, what, text }: { label: string; what: string; text: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" miw={92}>
        {label}
      </Text>
      <Code style={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{text}</Code>
      <CopyTextButton text={text} what={what} />
    </Group>
  );
}
