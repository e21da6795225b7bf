import * as z from 'zod'
import { color, languageCode, section, whole } from './configuration-fields.ts'
import { CHANNEL_LIVE_MODES } from './configuration-values.ts'
import { PLAYER } from './constants.ts'

/** Live channels (V1-08, V3-55). */
export const live = section({
  channelLiveMode: z
    .enum(CHANNEL_LIVE_MODES)
    .default('all-streaming')
    .describe(
      'Which channels stand on the live screen: all, or only those that are broadcast elsewhere too, not those that are made of the library (V3-55).',
    ),
  startOverEnabled: z
    .boolean()
    .default(true)
    .describe('Whether a programme of a library channel can be watched from its beginning (V1-08).'),
  backToLiveEnabled: z
    .boolean()
    .default(true)
    .describe('Whether the player has a button that goes back to live (V1-08).'),
  timeshiftOttConfig: whole(0, 86_400)
    .default(3600)
    .describe(
      'Seconds that a library channel may be watched back, where it does not say its own; 0 for none (V3-47, decision 14).',
    ),
})

/** The player (V4). */
export const player = section({
  bingeEnabled: z.boolean().default(true).describe('Whether the next episode is offered at the end (V1-09).'),
  bingeTiming: whole(3, 600)
    .default(20)
    .describe('Seconds before the end that the next episode is offered (V4-37).'),
  controlHideDelay: z
    .number()
    .min(0.5)
    .max(60)
    .default(PLAYER.controlsHideMs / 1000)
    .describe('Seconds without a move after which controls go (V4-34).'),
  mediaSelectionEnabled: z
    .boolean()
    .default(true)
    .describe('Whether a title with several media asks which (V4-15).'),
  isAirPlayEnabled: z.boolean().default(true).describe('Whether AirPlay is offered, on iOS (V1-07).'),
  defaultAudio: languageCode
    .default(PLAYER.defaultAudio)
    .describe('Audio language that playback begins with (V9, decision 21).'),
  defaultSubtitle: languageCode
    .default(PLAYER.defaultSubtitle)
    .describe('Subtitles that playback begins with; non for none (V9).'),
  watermark: section({
    enabled: z
      .boolean()
      .default(false)
      .describe("Whether the viewer's name stands over the picture (V3-41)."),
    fontSize: whole(8, 72).default(16).describe('In px (V3-41).'),
    baseColor: color.default('#ffffff66').describe('Colour of the watermark (V3-41).'),
    highlightColor: color.default('#ffffff').describe('Colour of what stands out in it (V3-41).'),
  }),
})

/** Offline copies (V3-45). */
export const downloads = section({
  downloadEnabled: z.boolean().default(false).describe('Whether native apps download (V1-05, V3-45).'),
  downloadWebEnabled: z
    .boolean()
    .default(false)
    .describe('Whether downloads are offered on the web (V3-45).'),
})
