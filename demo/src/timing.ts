import type { Chapter, LocalisedText, Told } from './title.ts'

/** Frames per second of all films. */
export const FRAME_RATE = 24

/** The parts of a film or an episode, in seconds. */
export interface Timing {
  readonly duration: number
  /** The fade-in from black, without speech. */
  readonly opening: Span
  /** An episode's intro, which viewers may skip; null for a film. */
  readonly intro: Span | null
  readonly credits: Span
}

/** An interval in seconds. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the parts of a film of `duration` seconds. In short films, as in tests, all parts are shorter. */
export function filmTiming(duration: number): Timing {
  const scale = Math.min(1, duration / 48)
  return {
    duration,
    opening: { from: 0, to: 4 * scale },
    intro: null,
    credits: { from: duration - 6 * scale, to: duration },
  }
}

/** Returns the parts of an episode of `duration` seconds. */
export function episodeTiming(duration: number): Timing {
  const scale = Math.min(1, duration / 44)
  const opening = { from: 0, to: 5 * scale }
  return { duration, opening, intro: opening, credits: { from: duration - 6 * scale, to: duration } }
}

/** A subtitle with its times in seconds. */
export interface Cue extends Span {
  readonly text: LocalisedText
}

/**
 * Distributes the narration between the opening and the credits, with a pause between texts. Longer texts get more
 * time.
 */
export function cues(told: Pick<Told, 'narration'>, timing: Timing): Cue[] {
  const from = timing.opening.to
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

/** Returns all chapters without gaps: `Intro` if the title has an intro, the title's chapters, and `Credits`. */
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
