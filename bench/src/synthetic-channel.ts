import { layoutOfChannel } from '@ondine/media/layout'
import { appendSpan, createSpan, createTimeline, type SpanPlan, type Timeline } from '@ondine/media/timeline'
import { syntheticFilm } from './synthetic-film.ts'

/** Three films of 24, 50 and 37 minutes, with segments of 4 s. */
const FILMS = [360, 750, 555].map((segmentCount, index) => syntheticFilm(index + 1, segmentCount))

/** Returns a channel that has played films without gaps since `startsAt`, for `hours`. */
export function syntheticChannel(startsAt: number, hours: number): Timeline {
  const layout = layoutOfChannel(FILMS)
  const plans: SpanPlan[] = []
  let endsAt = startsAt
  for (let turn = 0; endsAt < startsAt + hours * 3_600_000; turn++) {
    const film = FILMS[turn % FILMS.length]
    const before = plans.at(-1)
    if (!film) break
    const plan = appendSpan(before ? createSpan(layout, before) : null, film, { startsAt })
    plans.push(plan)
    endsAt = createSpan(layout, plan).endsAt
  }
  return createTimeline(layout, plans)
}
