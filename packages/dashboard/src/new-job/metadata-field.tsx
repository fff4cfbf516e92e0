import { Button, Fieldset, Group, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ItemAction } from './list-actions.tsx';

type Pairs = readonly (readonly [key: string, value: string])[];
type Metadata = Record<string, string> | undefined;

/** Pairs that the job and its webhook return, and that the list of jobs finds. */
export function MetadataField({
  metadata,
  error,
  onChange,
}: {
  metadata: Metadata;
  error: string | undefined;
  onChange: (metadata: Metadata) => void;
}) {
  // A pair whose key is not typed yet is not part of the request.
  const [pairs, setPairs] = useState<Pairs>(() => Object.entries(metadata ?? {}));
  const replace = (next: Pairs) => {
    setPairs(next);
    const named = next.filter(([key]) => key.trim() !== '');
    onChange(named.length === 0 ? undefined : Object.fromEntries(named));
  };
  return (
    <Fieldset legend="Metadata" variant="unstyled">
      <Text size="xs" c="dimmed" mb="xs">
        Your own data, such as an order number. The job and its webhook return it, and the list of jobs finds it.
      </Text>
      {pairs.map(([key, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pairs are identified by position only.
        <Group key={index} gap="xs" wrap="nowrap" mb="xs">
          <TextInput
            aria-label={`Key ${index + 1}`}
            placeholder="order"
            value={key}
            onChange={({ currentTarget }) => replace(pairs.with(index, [currentTarget.value, value]))}
          />
          <TextInput
            aria-label={`Value ${index + 1}`}
            placeholder="4711"
            style={{ flex: 1 }}
            value={value}
            onChange={({ currentTarget }) => replace(pairs.with(index, [key, currentTarget.value]))}
          />
          <ItemAction label={`Remove pair ${index + 1}`} onClick={() => replace(pairs.toSpliced(index, 1))}>
            <Trash2 size={16} aria-hidden />
          </ItemAction>
        </Group>
      ))}
      {error === undefined ? null : (
        <Text size="xs" c="var(--mantine-color-error)" mb="xs" role="alert">
          {error}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => setPairs([...pairs, ['', '']])}
      >
        Add metadata
      </Button>
    </Fieldset>
  );
}
