import { hierarchy, homeContent, listContent } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { encodeInput } from '@ondine/contract/encode-input'
import type { Asset, Category, Channel } from '@ondine/contract/entities'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { CATALOGUE } from '@ondine/demo/catalogue'

/** A title of the library, with the numbers in its pictures. */
export interface KnownAsset {
  id: number
  detailRoute: string
  /** Number in each frame of the film. `trailerNumber` is the number in its trailer. */
  number: number
  trailerNumber: number
}

/** Makes a call without a sign-in. */
export async function call<O extends Operation>(
  origin: string,
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O>> {
  const response = await fetch(origin + operation.path, {
    method: operation.method,
    body: new URLSearchParams(encodeInput(input)),
  })
  const answer = (await response.json()) as { status: boolean; result: OutputOf<O> }
  if (!answer.status) throw new Error(`${operation.name} failed: ${JSON.stringify(answer)}`)
  return answer.result
}

/** Finds a film of the library by its French title, or an episode by its series' title. */
export async function findAsset(
  origin: string,
  title: string,
  episode?: { season: number; episode: number },
): Promise<KnownAsset> {
  const known = CATALOGUE.find((entry) => entry.title === title)
  if (!known) throw new Error(`The demonstration has no ${title}.`)
  if (known.kind === 'film') {
    const rails = await call(origin, homeContent, {})
    const asset = rails
      .flatMap(({ items }) => items)
      .flatMap((item) => (item.type === 'asset' && item.payload.title === title ? [item.payload] : []))[0]
    return present(asset, title, known.number, known.trailerNumber)
  }
  if (!episode) throw new Error(`${title} is a series.`)
  const [series] = (await call(origin, hierarchy, {}))
    .flatMap(({ categories }) => categories)
    .filter(({ name }) => name === title)
  const episodes = await episodesOf(origin, series)
  const asset = episodes.find(
    ({ directMetadata }) =>
      directMetadata.AD_SERIESEA === episode.season && directMetadata.AD_SERIESEP === episode.episode,
  )
  const number = known.episodes.find(
    (candidate) => candidate.season === episode.season && candidate.episode === episode.episode,
  )?.number
  return present(asset, title, number ?? -1, known.trailerNumber)
}

async function episodesOf(origin: string, series: Category | undefined): Promise<Asset[]> {
  if (!series) return []
  const items = await call(origin, listContent, { id: series.idCatalog })
  return items.flatMap((item) => (item.type === 'asset' ? [item.payload] : []))
}

function present(asset: Asset | undefined, title: string, number: number, trailerNumber: number): KnownAsset {
  if (!asset) throw new Error(`The library has no ${title}.`)
  return { id: asset.idAsset, detailRoute: asset.detailRoute, number, trailerNumber }
}

/** Finds a channel by its name. */
export async function findChannel(origin: string, name: string): Promise<Channel> {
  const channel = (await call(origin, listChannels, {})).find((candidate) => candidate.name === name)
  if (!channel) throw new Error(`There is no channel ${name}.`)
  return channel
}
