import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { seriesQuery } from '../features/content/catalogue/queries.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { countIn, queryReader, textLike } from '../features/ground/links/read-query.ts'
import { loadSubject, refuseAboveLevel } from '../features/people/parental/above-level.ts'
import { routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({
  asset: countIn,
  // With `asset`, plays its download. Without `asset`, shows the downloads of this device.
  offline: (value) => (value === true ? value : undefined),
  // The id of a series. The player opens the episode that the viewer should watch next.
  series: countIn,
  channel: countIn,
  recording: countIn,
  // The media id of a trailer.
  trailer: countIn,
  // Start position in seconds. For an asset, the default is the profile's last position.
  t: (seconds) => (typeof seconds === 'number' && seconds >= 0 ? seconds : undefined),
  // Languages of the chosen media of an asset.
  audio: languageIn,
  sub: languageIn,
})

/**
 * The player of an asset, a channel, a recording or a trailer by id, with an optional start. With `offline=true`
 * it plays a download (V2.1-16), or shows the offline page if there is no asset.
 */
export const Route = createFileRoute('/player')({
  // Keeps the loader in the entry chunk, so that nothing delays the request for the player's code.
  codeSplitGroupings: [['component']],
  validateSearch: readAddress,
  // The server cannot play anything. Without server rendering, the player's code is in no other page.
  ssr: false,
  // The loader waits for the player's code. If the component waited instead, React would keep its fallback for at
  // least 300 ms.
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
