import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { seriesQuery } from '../features/catalogue/queries.ts'
import { pathOf } from '../features/links/content-link.ts'
import { countIn, queryReader, textLike } from '../features/links/read-query.ts'
import { loadSubject, refuseAboveLevel } from '../features/parental/above-level.ts'
import { routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({
  asset: countIn,
  // Its episode to go on with.
  series: countIn,
  channel: countIn,
  // The media of a trailer.
  trailer: countIn,
  // Seconds into the asset; without it the place where the profile stopped.
  t: (seconds) => (typeof seconds === 'number' && seconds >= 0 ? seconds : undefined),
  // Languages of the media that was chosen for an asset.
  audio: languageIn,
  sub: languageIn,
})

/** What to play: one of an asset, a channel or a trailer by its id, and where to begin (V2.1-16). */
export const Route = createFileRoute('/player')({
  validateSearch: readAddress,
  // There is nothing to play on the server, and the player's code belongs to no other page.
  ssr: false,
  // Waited for here, not while drawing: React keeps back for 300 ms what comes after something that stood in for it.
  loaderDeps: ({ search: { asset, series, channel } }) => ({ asset, series, channel }),
  loader: async ({ context: { queryClient }, deps: { asset, series, channel } }) => {
    if (series !== undefined) {
      const { resume } = await loadSubject(
        queryClient,
        { contentType: 'category', contentId: series },
        queryClient.fetchQuery(seriesQuery(series)),
      )
      throw redirect({
        to: '/player',
        search: resume === null ? {} : { asset: resume.idAsset },
        replace: true,
      })
    }
    const library = import('../player/shaka.ts').then(({ loadShaka }) => loadShaka())
    // The engine asks for it again and says what went wrong.
    library.catch(() => {})
    await Promise.all([
      PlayerScreen.preload?.(),
      asset !== undefined && refuseAboveLevel(queryClient, { contentType: 'asset', contentId: asset }),
      channel !== undefined && refuseAboveLevel(queryClient, { contentType: 'channel', contentId: channel }),
    ])
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('play.play'),
      description: '',
      path: pathOf('player'),
      unlisted: true,
    })
  },
  component: Screen,
})

const PlayerScreen = lazyRouteComponent(() => import('../player/player-screen.tsx'), 'PlayerScreen')

function Screen() {
  const { t: start, series: _series, ...address } = Route.useSearch()
  return <PlayerScreen {...address} start={start} />
}

const LANGUAGE_CODE = /^[a-z]{3}$/

function languageIn(value: unknown): string | undefined {
  return textLike(value, LANGUAGE_CODE)
}
