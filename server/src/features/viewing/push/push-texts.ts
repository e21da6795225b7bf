import type { BundledLanguage } from '@ondine/contract/languages'

/** Texts of notifications. The notification's title is the title of the programme or series. */
interface PushTexts {
  recorded: string
  /** `{season}` and `{episode}` are replaced by the numbers. */
  episode: string
  /** For several episodes in one file. */
  episodeRange: string
  /** For an episode without numbers. */
  episodeUnnumbered: string
  /** `{count}` is replaced by the number of episodes. */
  episodes: string
  /** Shown while another profile watches in the browser. `{name}` is the profile that the notification is for. */
  withheld: string
}

export const PUSH_TEXTS: Readonly<Record<BundledLanguage, PushTexts>> = {
  fra: {
    recorded: 'Votre enregistrement est prêt.',
    episode: 'Nouvel épisode : saison {season}, épisode {episode}',
    episodeRange: 'Nouveaux épisodes : saison {season}, épisodes {episode}',
    episodeUnnumbered: 'Nouvel épisode',
    episodes: '{count} nouveaux épisodes',
    withheld: 'Du nouveau pour le profil {name}',
  },
  eng: {
    recorded: 'Your recording is ready.',
    episode: 'New episode: season {season}, episode {episode}',
    episodeRange: 'New episodes: season {season}, episodes {episode}',
    episodeUnnumbered: 'New episode',
    episodes: '{count} new episodes',
    withheld: 'Something new for the profile {name}',
  },
}
