import { Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { Upload } from 'lucide-react';
import classes from './new-job.module.css';

type Props = { multiple: boolean; onDrop: (files: File[]) => void };

/** Where files of this computer are dropped, or chosen by a click. */
export function FileDropZone({ multiple, onDrop }: Props) {
  const words = multiple ? 'Drop files, or choose them' : 'Drop a file, or choose one';
  return (
    <Dropzone
      onDrop={onDrop}
      multiple={multiple}
      className={classes.drop}
      inputProps={{ 'aria-label': 'File' }}
      aria-label={words}
    >
      <div className={classes.dropInner}>
        <Upload size={24} aria-hidden />
        <Text fw={600}>{words}</Text>
        <Text size="sm" c="dimmed">
          Film, sound or picture, up to 5 GB
        </Text>
      </div>
    </Dropzone>
  );
}
