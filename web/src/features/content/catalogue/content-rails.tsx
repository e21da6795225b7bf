import type { Rail } from '@ondine/contract/catalogue'
import { ContentRail } from './content-rail.tsx'
import { RailLines } from './rail-lines.tsx'

/** Rails of titles below each other. Short rails share a line if there is room. Empty rails are left out. */
export function ContentRails({
  rails,
}: {
  rails: readonly (Pick<Rail, 'id' | 'title' | 'layout' | 'items'> & Partial<Pick<Rail, 'route'>>)[]
}) {
  return (
    <RailLines rails={rails.filter(({ items }) => items.length > 0)}>
      {(rail, isAlone) => <ContentRail rail={rail} isAlone={isAlone} />}
    </RailLines>
  )
}
