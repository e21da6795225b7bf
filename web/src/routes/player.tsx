import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router'
// Nothing of the shell stands around the player: what it takes from the shell's styles comes with every page, or a player
// that is opened by its address has none of it (`build/styles-once.ts`).
import '../design/icons.module.css'
import '../design/picture.module.css'
import '../design/progress.module.css'
import '../design/unseen.module.css'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

/** What to play: one of an asset, a channel or a trailer by its id, and where to begin (V2.1-16). */
export interface PlayerSearch {
  asset?: number
  channel?: number
  /** The media of a trailer. */
  trailer?: number
  /** Seconds into the asset; without it the place where the profile stopped. */
  t?: number
  /** Languages of the media that was chosen for an asset. */
  audio?: string
  sub?: string
}

export const Route = createFileRoute('/player')({
  validateSearch: ({ asset, channel, trailer, t, audio, sub }: Record<string, unknown>): PlayerSearch => ({
    ...ifId('asset', asset),
    ...ifId('channel', channel),
    ...ifId('trailer', trailer),
    ...(typeof t === 'number' && t >= 0 ? { t } : {}),
    ...ifLanguage('audio', audio),
    ...ifLanguage('sub', sub),
  }),
  // There is nothing to play on the server, and the player's code belongs to no other page.
  ssr: false,
  // Waited for here, not while drawing: React keeps back for 300 ms what comes after something that stood in for it.
  loader: async () => {
    const library = import('../player/shaka.ts').then(({ loadShaka }) => loadShaka())
    // The engine asks for it again and says what went wrong.
    library.catch(() => {})
    await PlayerScreen.preload?.()
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
  const { t: start, ...address } = Route.useSearch()
  return <PlayerScreen {...address} start={start} />
}

const LANGUAGE_CODE = /^[a-z]{3}$/

function ifLanguage<Name extends string>(name: Name, value: unknown): { [name in Name]?: string } {
  // A computed name makes TypeScript forget which name it is.
  return typeof value === 'string' && LANGUAGE_CODE.test(value)
    ? ({ [name]: value } as { [name in Name]: string })
    : {}
}

function ifId<Name extends string>(name: Name, value: unknown): { [name in Name]?: number } {
  // A computed name makes TypeScript forget which name it is.
  return Number.isSafeInteger(value) && Number(value) > 0
    ? ({ [name]: value } as { [name in Name]: number })
    : {}
}
