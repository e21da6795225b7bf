import { escapeUTF8 } from 'entities/escape'
import type { Actor, Episode, Film, LocalisedText, Season, Series, Title } from './title.ts'

/** Start and end of an event, in milliseconds since the Unix epoch. */
export interface EventTimes {
  readonly startsAt: number
  readonly endsAt: number
}

/**
 * Returns a film's metadata in the format of Kodi and Jellyfin. The format has one language, which is French in
 * this library. English texts are in a separate file, `<name>.en.nfo`. By Ondine's convention,
 * `<name>.<language>.nfo` has the same root element, and only the elements that differ.
 */
export function filmNfo(film: Film, event?: EventTimes): string {
  return document('movie', [
    ...described(film),
    ...(event === undefined
      ? []
      : [element('starts', momentText(event.startsAt)), element('ends', momentText(event.endsAt))]),
    element('runtime', Math.max(1, Math.round(film.durationSeconds / 60))),
    ...(film.set === undefined ? [] : [`<set>${element('name', film.set)}</set>`]),
    element('uniqueid', `ondine-${film.id}`, { type: 'ondine', default: 'true' }),
  ])
}

/** Returns the content of `tvshow.nfo`, the metadata of a series. */
export function seriesNfo(series: Series): string {
  return document('tvshow', [
    ...described(series),
    element('season', series.seasons.length),
    element('episode', series.episodes.length),
    element('status', 'Ended'),
    ...series.seasons.map((season) =>
      element('namedseason', season.title.fra, { number: String(season.season) }),
    ),
    element('uniqueid', `ondine-${series.id}`, { type: 'ondine', default: 'true' }),
  ])
}

/** Returns the content of `season.nfo`, the metadata of a season. */
export function seasonNfo(season: Season): string {
  return document('season', [
    element('title', season.title.fra),
    element('seasonnumber', season.season),
    element('plot', season.plot.fra),
  ])
}

/** Returns the content of `<series> S01E01.nfo`, the metadata of an episode. */
export function episodeNfo(series: Series, episode: Episode): string {
  return document('episodedetails', [
    element('title', episode.title.fra),
    element('showtitle', series.title),
    element('season', episode.season),
    element('episode', episode.episode),
    element('plot', episode.plot.fra),
    element('runtime', Math.max(1, Math.round(episode.durationSeconds / 60))),
    element('mpaa', ageRating(series.age)),
    element('aired', episode.premiered),
    element('year', series.year),
    element('studio', series.studio),
    element('director', series.director),
    element('credits', series.writer),
    ratings(episode.rating, series.votes),
    ...actors(series.actors),
    element('uniqueid', `ondine-${series.id}-s${episode.season}e${episode.episode}`, {
      type: 'ondine',
      default: 'true',
    }),
  ])
}

/** Returns the English metadata of a film or series, for `<name>.en.nfo`. */
export function englishNfo(title: Title): string {
  return document(title.kind === 'film' ? 'movie' : 'tvshow', [
    element('title', title.englishTitle),
    element('plot', title.plot.eng),
    element('tagline', title.tagline.eng),
    ...title.tags.eng.map((tag) => element('tag', tag)),
  ])
}

/** Returns the English metadata of a season or episode, for `<name>.en.nfo`. */
export function englishTextsNfo(
  root: 'season' | 'episodedetails',
  title: LocalisedText,
  plot: LocalisedText,
): string {
  return document(root, [element('title', title.eng), element('plot', plot.eng)])
}

function momentText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

/** Formats an age rating as `10+`, or as `TP` (tous publics) for all ages. */
function ageRating(age: number): string {
  return age === 0 ? 'TP' : `${age}+`
}

function described(title: Title): string[] {
  return [
    element('title', title.title),
    element('originaltitle', title.originalTitle),
    element('year', title.year),
    element('premiered', title.premiered),
    element('plot', title.plot.fra),
    element('tagline', title.tagline.fra),
    element('mpaa', ageRating(title.age)),
    ...title.genres.map((genre) => element('genre', genre)),
    ...title.tags.fra.map((tag) => element('tag', tag)),
    element('studio', title.studio),
    element('director', title.director),
    element('credits', title.writer),
    ratings(title.rating, title.votes),
    ...actors(title.actors),
  ]
}

function ratings(value: number, votes: number): string {
  return `<ratings><rating name="ondine" max="10" default="true">${element('value', value)}${element('votes', votes)}</rating></ratings>`
}

function actors(all: readonly Actor[]): string[] {
  return all.map(
    (actor, order) =>
      `<actor>${element('name', actor.name)}${element('role', actor.role)}${element('order', order)}</actor>`,
  )
}

function document(root: string, elements: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root}>\n${elements.map((line) => `  ${line}\n`).join('')}</${root}>\n`
}

function element(
  name: string,
  value: string | number,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([key, text]) => ` ${key}="${escapeUTF8(text)}"`)
  return `<${name}${written.join('')}>${escapeUTF8(String(value))}</${name}>`
}
