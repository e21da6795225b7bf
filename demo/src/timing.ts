import type { Chapter, Texts, Told } from './title.ts'

/** Frames a second of everything that is made. */
export const FRAME_RATE = 24

/** When what happens in a film or an episode, in seconds. */
export interface Timing {
  readonly duration: number
  /** The studio's line. */
  readonly presents: Span
  readonly title: Span
  /** An episode's opening, which a viewer may skip; a film has none. */
  readonly intro: Span | null
  readonly credits: Span
}

/** From one second to another. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The layout of a film of `duration` seconds. Short ones, as tests make them, have everything shorter. */
export function filmTiming(duration: number): Timing {
  const scale = Math.min(1, duration / 60)
  return {
    duration,
    presents: { from: 0.6 * scale, to: 3.2 * scale },
    title: { from: 3.4 * scale, to: 8 * scale },
    intro: null,
    credits: { from: duration - 9 * scale, to: duration },
  }
}

/** The layout of an episode of `duration` seconds. */
export function episodeTiming(duration: number): Timing {
  const scale = Math.min(1, duration / 60)
  return {
    duration,
    presents: { from: 0.4 * scale, to: 2.2 * scale },
    title: { from: 2.2 * scale, to: 8 * scale },
    intro: { from: 0, to: 8 * scale },
    credits: { from: duration - 8 * scale, to: duration },
  }
}

/** A subtitle with its times in seconds. */
export interface Cue extends Span {
  readonly text: Texts
}

/** Spreads the narration over what lies between title and credits, longer texts longer, with a breath between. */
export function cues(told: Pick<Told, 'narration'>, timing: Timing): Cue[] {
  const from = timing.title.to
  const to = timing.credits.from - 0.01 * timing.duration
  const weights = told.narration.map((text) => 26 + Math.max(text.fra.length, text.eng.length))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let passed = 0
  return told.narration.map((text, index) => {
    const start = from + ((to - from) * passed) / total
    passed += weights[index]!
    const end = from + ((to - from) * passed) / total
    return { from: start, to: end - Math.min(0.5, (end - start) * 0.15), text }
  })
}

/** A chapter with its times in seconds. */
export interface TimedChapter extends Span {
  readonly title: string
}

/** All chapters end to end: `Intro` if there is one, the title's own, `Credits`. */
export function timedChapters(chapters: readonly Chapter[], timing: Timing): TimedChapter[] {
  const first = timing.intro === null ? 0 : timing.intro.to
  const span = timing.credits.from - first
  const starts = [
    ...(timing.intro === null ? [] : [{ from: timing.intro.from, title: 'Intro' }]),
    ...chapters.map((chapter) => ({ from: first + span * chapter.at, title: chapter.title })),
    { from: timing.credits.from, title: 'Credits' },
  ]
  return starts.map((chapter, index) => ({ ...chapter, to: starts[index + 1]?.from ?? timing.duration }))
}
