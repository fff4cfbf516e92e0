import { Button, Group, Text } from '@mantine/core';
import { FileVideo, X } from 'lucide-react';
import { formatBytes } from '../../formatting/quantities.ts';
import { UntrustedText } from '../ui/untrusted-text.tsx';
import classes from './new-job.module.css';

type Props = { file: File; what: string; onRemove: () => void };

/** A file that will be uploaded. */
export function ChosenFile({ file, what, onRemove }: Props) {
  return (
    <Group className={classes.file} wrap="nowrap">
      <FileVideo size={20} aria-hidden />
      <div className={classes.fileName}>
        <Text size="sm" fw={600} truncate>
          <UntrustedText>{file.name}</UntrustedText>
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {formatBytes(file.size)}
        </Text>
      </div>
      <Button
        size="xs"
        variant="default"
        leftSection={<X size={14} aria-hidden />}
        aria-label={`Remove the file: ${what}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </Group>
  );
}
