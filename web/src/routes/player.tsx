import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { seriesQuery } from '../features/content/catalogue/queries.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { countIn, queryReader, textLike } from '../features/ground/links/read-query.ts'
import { loadSubject, refuseAboveLevel } from '../features/people/parental/above-level.ts'
import { routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({
  asset: countIn,
  // Shows the downloads of this device, or plays the download of `asset`.
  offline: (value) => (value === true ? value : undefined),
  // The id of a series. The player opens the episode that the viewer should watch next.
  series: countIn,
  channel: countIn,
  recording: countIn,
  // The media of a trailer.
  trailer: countIn,
  // Seconds of the asset; defaults to the profile's last position.
  t: (seconds) => (typeof seconds === 'number' && seconds >= 0 ? seconds : undefined),
  // Languages of the chosen media of an asset.
  audio: languageIn,
  sub: languageIn,
})

/**
 * The player: an asset, a channel, a recording or a trailer by id, with an optional start. With `offline=true` it is
 * the offline player (V2.1-16), or shows the offline page if there is no asset.
 */
export const Route = createFileRoute('/player')({
  validateSearch: readAddress,
  // The server does not render the player, because the server has nothing to play, and no other page needs the player's
  // code.
  ssr: false,
  // The loader waits for the code. If the rendering waited instead, React would show a fallback, and replace it
  // only after 300 ms.
  loaderDeps: ({ search: { asset, series, channel, offline } }) => ({ asset, series, channel, offline }),
  loader: async ({ context: { queryClient }, deps: { asset, series, channel, offline } }) => {
    if (offline === true) return await PlayerScreen.preload?.()
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
    const library = import('../player/engine/shaka.ts').then(({ loadShaka }) => loadShaka())
    // Ignores a failure, because the engine loads the library again and reports the error.
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

const PlayerScreen = lazyRouteComponent(() => import('../player/screen/player-screen.tsx'), 'PlayerScreen')

function Screen() {
  const { t: start, series: _series, ...address } = Route.useSearch()
  return <PlayerScreen {...address} start={start} />
}

const LANGUAGE_CODE = /^[a-z]{3}$/

function languageIn(value: unknown): string | undefined {
  return textLike(value, LANGUAGE_CODE)
}
