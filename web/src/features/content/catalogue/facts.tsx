import { splitNames } from '@ondine/contract/asset-state'
import type { SearchKey } from '@ondine/contract/search'
import { Fragment } from 'react'
import { TextLink } from '../../../design/buttons/link.tsx'
import styles from './facts.module.css'
import { metadataSearchPath } from './metadata-search-path.ts'

/** The name of a fact, its value, and optionally the key by which a search finds titles with the same value. */
export type Fact = readonly [name: string, value: string | number | undefined, key?: SearchKey | 'website']

/** A list of facts. A value with a search key is a link to a search for the value (V2.1-18). */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, key]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {key === undefined ? (
              value
            ) : key === 'website' ? (
              <TextLink to={String(value)}>{new URL(String(value)).hostname}</TextLink>
            ) : (
              <SearchLinks values={String(value)} searchBy={key} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A list of names. Each name is a link to a search for that name (V2.1-18). */
function SearchLinks({ values, searchBy }: { values: string; searchBy: SearchKey }) {
  // A studio's value is a single name, which may contain a comma.
  const names = searchBy === 'AD_LIPRODUC' ? [values] : splitNames(values)
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && <span className={styles.comma}>, </span>}
      <TextLink to={metadataSearchPath(searchBy, name)}>{name}</TextLink>
    </Fragment>
  ))
}
