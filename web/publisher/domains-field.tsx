import { useState } from 'preact/hooks';
import { FormField } from '../parts/field.tsx';
import { TokenInput } from '../parts/token-input.tsx';
import { toDomain } from '../web-address.ts';
import { KEY_LABELS } from './key-labels.ts';

interface DomainsFieldProps {
  domains: readonly string[];
  fault: string | undefined;
  onChange(domains: string[]): void;
}

/** The domains whose ads a publisher blocks. Takes them out of pasted URLs. */
export function DomainsField({ domains, fault, onChange }: DomainsFieldProps) {
  const [unknown, setUnknown] = useState<string | null>(null);
  const wrong = unknown === null ? undefined : `“${unknown}” is not a domain. Enter one such as shop.example.`;
  return (
    <FormField
      name="key-domains"
      label={KEY_LABELS.blockedDomains}
      need="optional"
      hint="For example shop.example. Includes subdomains."
      fault={wrong ?? fault}
    >
      {(attributes) => (
        <TokenInput
          what="domain"
          tokens={domains}
          attributes={attributes}
          toToken={toDomain}
          wrong={wrong}
          onUnknown={setUnknown}
          onChange={onChange}
        />
      )}
    </FormField>
  );
}
