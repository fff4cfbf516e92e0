import { Anchor, Group, Table, Text } from '@mantine/core';
import { formatBytes, formatDuration, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { distinctFiles, type OutputFile } from '../job/distinct-files.ts';
import { StorageProviderName } from '../storage/storage-provider-name.tsx';
import { CopyIconButton } from '../ui/copy-buttons.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Section } from '../ui/section.tsx';
import { UntrustedText } from '../ui/text.tsx';

export function OutputFiles({ job }: { job: JobResource }) {
  const files = Object.entries(distinctFiles(job));
  if (files.length === 0) return null;
  const table = (
    <ScrollableTable
      label="Files"
      minWidth={520}
      headings={['Name', 'Codec', 'Dimensions', 'Duration', 'Size']}
      numeric={['Duration', 'Size']}
    >
      {files.map(([name, file]) => (
        <Table.Tr key={name}>
          <Table.Td>
            <Group gap={4} wrap="nowrap">
              <Anchor href={file.storage_url} size="sm" underline="always">
                <UntrustedText>{file.filename}</UntrustedText>
              </Anchor>
              <CopyIconButton text={file.storage_url} what={`the URL of ${replaceUnsafeCharacters(file.filename)}`} />
            </Group>
            <StorageLocation file={file} />
          </Table.Td>
          <Table.Td>{file.codec ?? '–'}</Table.Td>
          <Table.Td>{file.width === undefined ? '–' : `${file.width} × ${file.height}`}</Table.Td>
          <Table.Td ta="end">{file.duration === undefined ? '–' : formatDuration(file.duration)}</Table.Td>
          <Table.Td ta="end">{formatBytes(file.size_mbytes * 1_000_000)}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollableTable>
  );
  const isStream = files.some(([, file]) => file.file_format === 'm3u8');
  return (
    <Section title={files.length === 1 ? 'File' : `${files.length} files`}>
      {isStream ? (
        <details>
          <Text component="summary" size="sm">
            Show the files of the stream
          </Text>
          {table}
        </details>
      ) : (
        table
      )}
    </Section>
  );
}

/** Where a file is, if it is not in the bucket of the stage. */
function StorageLocation({ file }: { file: OutputFile }) {
  const { storage_provider_id: id, storage_key: key = '' } = file;
  if (id === undefined) return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      At <StorageProviderName id={id} />: <UntrustedText>{key}</UntrustedText>
    </Text>
  );
}
