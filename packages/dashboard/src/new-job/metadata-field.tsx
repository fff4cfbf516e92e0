import { Fieldset, Group, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { SmallButton } from '../ui/action-button.tsx';
import { Note, Problem } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { ifAny, type ValueProps } from './field-props.ts';
import { ItemAction } from './list-actions.tsx';

type Pairs = readonly (readonly [key: string, value: string])[];
type Metadata = Record<string, string> | undefined;

/** Pairs that the job and its webhook return, and that the list of jobs finds. */
export function MetadataField({ value: metadata, error, onChange }: ValueProps<Metadata>) {
  // A pair whose key is not typed yet is not part of the request.
  const [pairs, setPairs] = useState<Pairs>(() => Object.entries(metadata ?? {}));
  const replace = (next: Pairs) => {
    setPairs(next);
    onChange(ifAny(Object.fromEntries(next.filter(([key]) => key.trim() !== ''))));
  };
  return (
    <Fieldset legend="Metadata" variant="unstyled">
      <Note size="xs" mb="xs">
        Your own data, such as an order number. The job and its webhook return it, and the list of jobs finds it.
      </Note>
      {pairs.map(([key, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pairs are identified by position only.
        <Group key={index} gap="xs" wrap="nowrap" mb="xs">
          <TextInput
            aria-label={`Key ${index + 1}`}
            placeholder="order"
            {...typed(key, (next) => replace(pairs.with(index, [next, value])))}
          />
          <TextInput
            aria-label={`Value ${index + 1}`}
            placeholder="4711"
            flex={1}
            {...typed(value, (next) => replace(pairs.with(index, [key, next])))}
          />
          <ItemAction
            Icon={Trash2}
            label={`Remove pair ${index + 1}`}
            onClick={() => replace(pairs.toSpliced(index, 1))}
          />
        </Group>
      ))}
      <Problem error={error} mb="xs" />
      <SmallButton Icon={Plus} onClick={() => setPairs([...pairs, ['', '']])}>
        Add metadata
      </SmallButton>
    </Fieldset>
  );
}
