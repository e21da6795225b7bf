import { episodeRange } from '@ondine/contract/episode-range'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import {
  type BundledLanguage,
  bundledLanguage,
  DEFAULT_LANGUAGE,
  isLanguage,
  type Language,
  languageTag,
} from '@ondine/contract/languages'
import type { PushMessage } from '@ondine/contract/push'
import { assetRoute, seriesRoute } from '@ondine/contract/slugs'
import { textIn } from '../../../metadata/texts.ts'
import { isVisible } from '../../rights/entitlements/entitlements.service.ts'
import type { News, NewsTitle } from './news.ts'
import { PUSH_TEXTS } from './push-texts.ts'

/** The profile that gets a message. */
interface Reader {
  profileId: number
  name: string
  language: string
  kid: boolean
  maximumMoralityLevel: number
  /** Whether the operator has enabled parental control (V1-11). */
  hasParentalControl: boolean
}

/** Page of the recordings that can be watched. */
const RECORDINGS_PATH = '/library/completed-records'

/** Longest text of a message, in characters. A push service takes 4096 bytes at most (RFC 8030, section 7.2). */
const TEXT_MAX = 150

/**
 * Writes a message in the language of its reader. A child's profile gets no message about titles above its level. Any
 * other profile gets a message without the title, if it needs the parental code for the title.
 *
 * @param brand the name of the service, which is shown instead of a title
 * @returns undefined if the profile may see nothing of the news
 */
export function writeMessage(news: News, reader: Reader, brand: string): PushMessage | undefined {
  const language = isLanguage(reader.language) ? reader.language : DEFAULT_LANGUAGE
  const bundled = bundledLanguage(language)
  if (!isVisible(reader, news.title)) return undefined
  const facts = news.kind === 'recording' ? ofRecording(news, bundled) : ofEpisodes(news, reader, language)
  if (!facts) return undefined
  const withheld = PUSH_TEXTS[bundled].withheld.replace('{name}', () => reader.name)
  const title = needsCode(reader, news.title) ? brand : textIn(news.title.titles, language)
  return {
    profileId: reader.profileId,
    language: languageTag(bundled),
    shown: { title: short(title), body: tidy(facts.body, bundled) },
    withheld: { title: short(brand), body: tidy(withheld, bundled) },
    tag: facts.tag,
    path: facts.path,
  }
}

/** The parts of a message that depend on its kind. */
type Facts = Pick<PushMessage, 'tag' | 'path'> & { body: string }

function ofRecording({ id }: Extract<News, { kind: 'recording' }>, language: BundledLanguage): Facts {
  return { body: PUSH_TEXTS[language].recorded, tag: `recording-${id}`, path: RECORDINGS_PATH }
}

/**
 * Returns undefined if the profile may see none of the episodes. A click opens the episode; for several episodes,
 * the series.
 */
function ofEpisodes(
  { title: series, episodes }: Extract<News, { kind: 'episodes' }>,
  reader: Reader,
  language: Language,
): Facts | undefined {
  const [first, ...others] = episodes.filter((episode) => isVisible(reader, episode))
  if (first === undefined) return undefined
  const texts = PUSH_TEXTS[bundledLanguage(language)]
  const { seasonNumber: season, episodeNumber: episode, lastEpisodeNumber: last } = first
  const single =
    season === null || episode === null
      ? texts.episodeUnnumbered
      : (last === null ? texts.episode : texts.episodeRange)
          .replace('{season}', String(season))
          .replace('{episode}', episodeRange(episode, last))
  const isSingle = others.length === 0
  return {
    body: isSingle ? single : texts.episodes.replace('{count}', String(others.length + 1)),
    // Without the profile, a message to one profile would replace the message to another profile of the same device. A push
    // service allows 32 characters (RFC 8030, section 5.4).
    tag: `series-${series.id}-${reader.profileId}`,
    path: isSingle
      ? assetRoute(textIn(first.titles, language), first.id)
      : seriesRoute(textIn(series.titles, language), series.id),
  }
}

/**
 * Returns whether the profile needs the parental code for a title (A6-07, A6-08). A child's profile does not see such
 * titles.
 */
function needsCode(reader: Reader, title: NewsTitle): boolean {
  return reader.hasParentalControl && !isVisible({ ...reader, kid: true }, title)
}

function tidy(text: string, language: BundledLanguage): string {
  return short(language === 'fra' ? firmSpaces(text) : text)
}

function short(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text
}
