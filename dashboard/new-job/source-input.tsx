import { Button, Group, Text, TextInput } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { FileVideo, Upload, X } from 'lucide-react';
import { formatBytes } from '../format/bytes.ts';
import classes from './new-job.module.css';

type Props = {
  file: File | undefined;
  url: string;
  urlError: string | undefined;
  onFile: (file: File | undefined) => void;
  onUrl: (url: string) => void;
};

/** Where the media comes from: a file of this computer, or a URL. */
export function SourceInput({ file, url, urlError, onFile, onUrl }: Props) {
  if (file !== undefined) {
    return (
      <Group className={classes.file} wrap="nowrap">
        <FileVideo size={20} aria-hidden />
        <div className={classes.fileName}>
          <Text size="sm" fw={600} truncate>
            <bdi>{file.name}</bdi>
          </Text>
          <Text size="xs" c="dimmed" className="numbers">
            {formatBytes(file.size)}
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={<X size={14} aria-hidden />}
          onClick={() => onFile(undefined)}
        >
          Remove
        </Button>
      </Group>
    );
  }
  return (
    <>
      <Dropzone
        onDrop={([dropped]) => onFile(dropped)}
        multiple={false}
        className={classes.drop}
        inputProps={{ 'aria-label': 'File' }}
        aria-label="Drop a file, or choose one"
      >
        <div className={classes.dropInner}>
          <Upload size={24} aria-hidden />
          <Text fw={600}>Drop a file here, or choose one</Text>
          <Text size="sm" c="dimmed">
            Film, sound or picture, up to 5 GB by default
          </Text>
        </div>
      </Dropzone>
      <TextInput
        mt="md"
        type="url"
        label="Or paste a URL"
        placeholder="https://example.com/film.mp4"
        value={url}
        error={urlError}
        onChange={({ currentTarget }) => onUrl(currentTarget.value)}
      />
    </>
  );
}
