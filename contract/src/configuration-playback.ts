import * as z from 'zod'
import { address, color, languageCode, localProgram, section, whole } from './configuration-fields.ts'
import { CHANNEL_LIVE_MODES } from './configuration-values.ts'
import { PLAYER } from './constants.ts'

/** Live channels (V1-08, V3-55). */
export const live = section({
  channelLiveMode: z
    .enum(CHANNEL_LIVE_MODES)
    .default('all-streaming')
    .describe(
      'Channels on the live screen: all, or only those that are also broadcast elsewhere, not those made from the library (V3-55).',
    ),
  startOverEnabled: z
    .boolean()
    .default(true)
    .describe('Whether programmes of library channels can be watched from the beginning (V1-08).'),
  backToLiveEnabled: z
    .boolean()
    .default(true)
    .describe('Whether the player has a button to return to live (V1-08).'),
  timeshiftOttConfig: whole(0, 86_400)
    .default(3600)
    .describe(
      'How far back a channel can be watched, in seconds, unless the channel sets its own; 0 for none. Relayed channels have only their own (V3-47, spec 14).',
    ),
})

/**
 * Advertisements in films, episodes and live channels. Children, holders of an ad-free package, and viewers who rented
 * or bought the title or the channel get none.
 */
export const ads = section({
  serverUrl: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/ }).max(2000),
      z
        .string()
        .regex(/^library:[^\s?#]+$/)
        .max(2000),
    ])
    .default('')
    .describe(
      'Address of the ad server (VAST or VMAP), with macros such as [PAGEURL]; or `library:` and the path of a VAST or VMAP file in the folder DATA_DIR/library; empty for no advertisements (V7-20).',
    ),
  timeoutMs: whole(50, 3000)
    .default(400)
    .describe(
      'Time limit of the ad server in milliseconds. After it, the film starts without advertisements, or the channel shows its own.',
    ),
  adFreePackages: z
    .array(z.string().min(1).max(100))
    .max(100)
    .default([])
    .describe('Keys of the packages whose holders get no advertisements.'),
})

/**
 * Requirements that a device must meet to play protected media. Licences of Widevine and FairPlay contain them. With
 * Clear Key, only `hardwareAboveHeight` applies, because then no device counts as decrypting in hardware.
 */
export const protection = section({
  security: z
    .enum(['software', 'hardware'])
    .default('software')
    .describe('Whether Widevine must decrypt and decode in hardware.'),
  hardwareAboveHeight: whole(0, 4320)
    .default(0)
    .describe(
      'Height in lines above which video plays only on devices that decrypt and decode in hardware; 0 for no such rule.',
    ),
  hdcp: z
    .enum(['none', '1.0', '2.2'])
    .default('none')
    .describe('Version of HDCP that external screens must have at least.'),
})

/** The player (V4). */
export const player = section({
  bingeEnabled: z.boolean().default(true).describe('Whether the next episode is offered at the end (V1-09).'),
  bingeTiming: whole(3, 600)
    .default(20)
    .describe('Seconds before the end at which the next episode is offered (V4-37).'),
  controlHideDelay: z
    .number()
    .min(0.5)
    .max(60)
    .default(PLAYER.controlsHideMs / 1000)
    .describe('Seconds without movement after which the controls are hidden (V4-34).'),
  mediaSelectionEnabled: z
    .boolean()
    .default(true)
    .describe('Whether viewers choose among several media of a title (V4-15).'),
  isCastEnabled: z
    .boolean()
    .default(true)
    .describe('Whether viewers can play content on other screens of their account (V1-06).'),
  isAirPlayEnabled: z
    .boolean()
    .default(true)
    .describe('Whether AirPlay is offered, in Safari and on iOS (V1-07).'),
  defaultAudio: languageCode
    .default(PLAYER.defaultAudio)
    .describe('Audio language at the start of playback (V9, spec 21).'),
  defaultSubtitle: languageCode
    .default(PLAYER.defaultSubtitle)
    .describe('Subtitle language at the start of playback; non for none (V9).'),
  watermark: section({
    enabled: z
      .boolean()
      .default(false)
      .describe("Whether the viewer's name is shown over the picture (V3-41)."),
    fontSize: whole(8, 72).default(16).describe('Font size, in px (V3-41).'),
    baseColor: color.default('#ffffff66').describe('Colour of the watermark (V3-41).'),
    highlightColor: color.default('#ffffff').describe('Colour of its highlights (V3-41).'),
  }),
})

/** Offline copies (V3-45). */
export const downloads = section({
  downloadEnabled: z.boolean().default(false).describe('Whether native apps can download (V1-05, V3-45).'),
  downloadWebEnabled: z
    .boolean()
    .default(false)
    .describe('Whether downloads are offered on the web (V3-45).'),
  newDownloadsEnabled: z
    .boolean()
    .default(true)
    .describe('Whether new downloads are offered on the web. Downloads that exist stay playable (A4.9-03).'),
  helperUrl: localProgram
    .default('')
    .describe(
      'Address of the local player on the computer of a viewer, which then downloads instead of the browser; empty for none (A4.9-04).',
    ),
  helperInstallUrl: address
    .default('')
    .describe('Address of the page from which viewers install the local player (A4.9-04).'),
  licenceDays: whole(1, 365)
    .default(30)
    .describe('Days for which a download can be played after it was made (spec 39).'),
  hoursAfterFirstPlay: whole(1, 8760)
    .default(48)
    .describe('Hours for which a download can be played after its first play (spec 39).'),
  maximumDevices: whole(0, 1000)
    .default(5)
    .describe('Maximum number of devices per account that hold downloads; 0 for no limit (code -514).'),
  maximumTitles: whole(0, 10_000)
    .default(100)
    .describe('Maximum number of titles per account that are downloaded; 0 for no limit (code -513).'),
  defaultAudio: languageCode
    .default(PLAYER.downloadAudio)
    .describe('Audio language of downloads, unless the profile has chosen another (V9, spec 21).'),
  defaultSubtitle: languageCode
    .default(PLAYER.downloadSubtitle)
    .describe('Subtitle language of downloads; non for none (V9).'),
})
