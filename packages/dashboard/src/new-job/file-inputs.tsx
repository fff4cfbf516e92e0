import { Box, Group, Stack, UnstyledButton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { formatBytes } from '@media-jobs/cli/formatting';
import { FileVideo, Upload, X } from 'lucide-react';
import { SmallButton } from '../ui/action-button.tsx';
import { Note, Problem, UntrustedLine } from '../ui/text.tsx';
import classes from './new-job.module.css';

type ChosenFileProps = { file: File; label: string; error?: string | undefined; onRemove: () => void };

export function ChosenFile({ file, label, error, onRemove }: ChosenFileProps) {
  return (
    <Group wrap="nowrap" px="md" py={12} bg="var(--subtle)" bd="1px solid var(--line)" bdrs={10}>
      <FileVideo size={20} aria-hidden />
      <Box miw={0} flex={1}>
        <UntrustedLine fw={600} truncate>
          {file.name}
        </UntrustedLine>
        <Note size="xs" className="numbers">
          {formatBytes(file.size)}
        </Note>
        <Problem error={error} />
      </Box>
      <SmallButton Icon={X} aria-label={`Remove file: ${label}`} onClick={onRemove}>
        Remove
      </SmallButton>
    </Group>
  );
}

/** The button is for the keyboard and screen readers; its click, like one anywhere in the zone, opens the file dialog. */
export function FileDropZone({ multiple, onDrop }: { multiple: boolean; onDrop: (files: File[]) => void }) {
  const label = multiple ? 'Drop files here, or click to browse' : 'Drop a file here, or click to browse';
  return (
    <Dropzone
      onDrop={onDrop}
      multiple={multiple}
      className={classes.drop}
      activateOnKeyboard={false}
      inputProps={{ 'aria-hidden': true }}
    >
      <Stack align="center" gap={6} ta="center">
        <Upload size={24} aria-hidden />
        <UnstyledButton fw={600} ta="center" className={classes.browse}>
          {label}
        </UnstyledButton>
        <Note>Video, audio or image</Note>
      </Stack>
    </Dropzone>
  );
}
