import type { Channel, Programme } from '@ondine/contract/entities'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { areFew } from '../../../design/tokens/layouts.ts'
import { useNearEnd } from '../../content/catalogue/use-near-end.ts'
import { useWallProgrammes } from '../../content/line-up/use-wall-programmes.ts'
import { WALL_PAGE, wallPage } from '../../content/line-up/wall-page.ts'
import { ChannelGrid } from './channel-grid.tsx'

interface WallProps {
  /** The channels. As long as the channels are the same, the array must be the same object. */
  channels: readonly Channel[]
  /** Start of the guide's window with which the page was rendered, in seconds since the Unix epoch. */
  start: number
  /**
   * Renders the list item of a channel, from the programmes of the channel around the current time. The programmes
   * are undefined as long as they are unknown.
   */
  renderItem: (channel: Channel, programmes: readonly Programme[] | undefined, now: number) => ReactNode
}

/**
 * A grid of channels with their current programmes. The page contains the first {@link WALL_PAGE} channels. As the
 * viewer approaches the end of the grid, more channels are rendered and their programmes are fetched.
 */
export function ChannelWall({
  isAlone = false,
  ...wall
}: WallProps & {
  /** Whether the page has no other content. */
  isAlone?: boolean
}) {
  const { channels } = wall
  const [pages, setPages] = useState(1)
  return (
    <>
      <ChannelGrid few={isAlone && areFew(channels.length)}>
        {Array.from({ length: pages }, (_, page) => (
          <WallPart key={page} {...wall} page={page} />
        ))}
      </ChannelGrid>
      {pages * WALL_PAGE < channels.length && (
        <WallEnd key={pages} onReached={() => setPages((shown) => shown + 1)} />
      )}
    </>
  )
}

function WallPart({ channels, start, renderItem, page }: WallProps & { page: number }) {
  const part = useMemo(() => wallPage(channels, page), [channels, page])
  const { now, programmesOf } = useWallProgrammes(start, part.ids)
  return part.channels.map((channel) => renderItem(channel, programmesOf(channel.idChannel), now))
}

function WallEnd({ onReached }: { onReached: () => void }) {
  const { t } = useTranslation()
  const end = useNearEnd(onReached)
  return (
    <div ref={end}>
      <Button onPress={onReached}>{t('shell.more')}</Button>
    </div>
  )
}
