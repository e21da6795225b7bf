import { serviceOrigin } from '../../api/service-origin.ts'
import type { EngineEvent, Reading, Stream, StreamEngine, Thumbnail } from './engine.ts'
import { NOTHING_READ } from './engine.ts'
import { nameLicenceKey } from './licence-key.ts'
import { liveAdAt } from './live-ads.ts'
import { epochOf, isBehindLive } from './live-edge.ts'
import { playerError } from './player-error.ts'
import { loadShaka, type ShakaPlayer } from './shaka.ts'
import { BASE_CONFIGURATION, liveSync, streamConfiguration } from './shaka-configuration.ts'
import { engineError, isCritical, isInterruption, isShakaError, isTriedAgain } from './shaka-error.ts'
import { activeLanguages, chooseTrack, readTracks, selectLanguages } from './shaka-tracks.ts'
import { stallWatch } from './stall-watch.ts'
import { type StreamKind, streamKind } from './stream-kind.ts'

/** Tolerance for comparing positions, because the element rounds its position when it begins to seek. */
const SEEK_TOLERANCE_SECONDS = 0.5
/**
 * The first position to which a seek leads, in seconds. After a start, Shaka moves the element for up to a second until
 * it has left 0. A seek to exactly 0 in this time would be undone.
 */
const FIRST_POSITION_SECONDS = 0.001
/** Length of the buffer that remains when the quality changes, so that playback does not stall. */
const QUALITY_MARGIN_SECONDS = 2

/** Interval at which the progress of a live stream is checked, in milliseconds. */
const WATCH_MS = 1000

/** A stream that Shaka loads ahead. Nothing if the browser or the stream does not support this. */
type Preload = Awaited<ReturnType<ShakaPlayer['preload']>> | undefined

/** A preload that {@link StreamEngine.prepare} has started. */
interface Prepared {
  key: string
  preload: ReturnType<ShakaPlayer['preload']>
}

/**
 * Plays streams with Shaka in `video`. Renders subtitles into `stage`, which contains the video. Starts to load
 * and attach Shaka at once, in parallel with the calls that open the content. If loading or attaching fails, the
 * next use tries again.
 */
export function createShakaEngine(video: HTMLVideoElement, stage: HTMLElement): StreamEngine {
  const listeners = new Set<(event: EngineEvent) => void>()
  const gone = new AbortController()
  let attaching: Promise<ShakaPlayer> | undefined
  /** The kind of streams that the attached player can play. */
  let attachedKind: StreamKind = 'dash'
  let player: ShakaPlayer | undefined
  let prepared: Prepared | undefined
  /** The stream that was loaded last. */
  let loaded: Stream | undefined
  let quality: number | null = null
  let speed = 1
  /** Whether the viewer wants playback to run. */
  let wantsPlay = false
  let isLoadingAgain = false
  /** Number of the viewer's seeks. */
  let seeks = 0
  /**
   * Smallest distance from the end of the range at which live playback has followed the broadcast, in seconds.
   * Undefined until playback has been at the live edge.
   */
  let lag: number | undefined
  /**
   * Whether playback began at the live edge. False for a recording in progress, which is live for Shaka but begins
   * at a position.
   */
  let beganLive = false
  /**
   * Whether the viewer follows the broadcast. False after a pause or a seek back that leaves the viewer behind the
   * live edge.
   */
  let follows = false
  /** Target of the requested seek, until the element begins to seek. */
  let asked: number | undefined
  /** The load that Shaka performs now, with the failure that it has reported meanwhile. */
  let loading: { failure?: unknown } | undefined
  /** The last reading before a stream was loaded again, until the stream has a position again. */
  let before: Reading | undefined

  const tell = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }
  const tellTracks = () => {
    if (player !== undefined) tell({ type: 'engine.tracks', tracks: readTracks(player, quality) })
  }
  const tellFailure = (thrown: unknown) => {
    if (isInterruption(thrown)) return
    // Shaka resolves some loads although the stream has failed, for example because of its licence.
    if (loading !== undefined) {
      loading.failure ??= thrown
      return
    }
    // From now on, only the viewer's retry loads the stream again.
    loaded = undefined
    tell({ type: 'engine.failed', error: playerError(engineError(thrown)) })
  }

  /** Returns the player for a kind of streams. It replaces the player for the other kind. */
  function attached(kind: StreamKind): Promise<ShakaPlayer> {
    if (attaching === undefined || kind !== attachedKind) {
      const before = attaching
      attachedKind = kind
      attaching = attachAndListen(kind, before)
    }
    return attaching
  }

  async function attachAndListen(
    kind: StreamKind,
    before: Promise<ShakaPlayer> | undefined,
  ): Promise<ShakaPlayer> {
    try {
      player = undefined
      await detach(before)
      const made = await attach(kind, video, stage)
      made.addEventListener('error', (event) => {
        const detail: unknown = Reflect.get(event, 'detail')
        if (isShakaError(detail) && (!isCritical(detail) || (made.isDynamic() && isTriedAgain(detail))))
          return
        // Shaka requests nothing more.
        event.preventDefault()
        tellFailure(detail)
      })
      made.addEventListener('buffering', (event) => {
        if (Reflect.get(event, 'buffering') === true && !video.paused) tell({ type: 'engine.waiting' })
      })
      for (const name of [
        'trackschanged',
        'variantchanged',
        'adaptation',
        'textchanged',
        'audiotrackchanged',
      ]) {
        made.addEventListener(name, tellTracks)
      }
      player = made
      return made
    } catch (error) {
      if (kind === attachedKind) attaching = undefined
      throw error
    }
  }

  /** Ends a preload that will not be loaded. Otherwise the preload of a channel would request manifests for ever. */
  const dropPrepared = () => {
    void prepared?.preload.then(
      (preload) => preload?.destroy(),
      () => {},
    )
    prepared = undefined
  }

  /**
   * Measures the lag at the engine's own start position: when playback begins, or before the viewer's first seek.
   * After a slow start, playback catches up, and the lag decreases.
   */
  const takeLag = () => {
    if (!beganLive || player?.isLive() !== true || video.readyState === 0) return
    const behind = Math.max(0, player.seekRange().end - video.currentTime)
    if (lag === undefined || follows) lag = Math.min(lag ?? behind, behind)
  }

  /** Follows the broadcast if `position` is near the live edge. Otherwise, playback never speeds up. */
  const followFrom = (position: number) => {
    if (player === undefined || lag === undefined) return
    follows = !isBehindLive(position, player.seekRange().end - lag)
    player.configure({ streaming: { liveSync: liveSync(follows) } })
  }

  /** Loads a stream. `preload` is a preload of the same stream, if there is one. */
  async function loadInto(made: ShakaPlayer, stream: Stream, preload: Preload): Promise<void> {
    lag = undefined
    beganLive = stream.startAt === null
    follows = beganLive
    made.configure(streamConfiguration(stream, serviceOrigin()))
    const mine: typeof loading = {}
    loading = mine
    try {
      await made.load(preload ?? absolute(stream.url), stream.startAt)
    } finally {
      if (loading === mine) loading = undefined
    }
    if (mine.failure !== undefined) throw mine.failure
    selectLanguages(made, stream.languages)
    tellTracks()
  }

  function limitQuality(made: ShakaPlayer): void {
    made.configure({ abr: { enabled: quality === null } })
    const track = made.getVideoTracks().find(({ height }) => height === quality)
    if (track !== undefined) made.selectVideoTrack(track, true, QUALITY_MARGIN_SECONDS)
  }

  /**
   * Loads a live stream again after a stall that did not end by itself. Continues at the live edge; at the same position
   * if the viewer is behind the broadcast, or if the live edge would repeat what has been seen. Does nothing while the
   * service cannot be reached: Shaka then goes on by itself later.
   */
  async function loadAgain(): Promise<void> {
    const stalled = loaded
    if (player?.isLive() !== true || stalled === undefined || isLoadingAgain) return
    isLoadingAgain = true
    try {
      const still = { seeks, position: video.currentTime, frames: framesOf(video) }
      const startAt = beganLive ? null : still.position
      const preload = await player.preload(absolute(stalled.url), startAt)
      const isReady = await preload?.waitForFinish().then(
        () => true,
        () => false,
      )
      const goesOn =
        video.currentTime !== still.position && (still.frames === 0 || framesOf(video) !== still.frames)
      // Meanwhile, playback may have gone on, or the viewer may have paused, moved or left.
      if (isReady === false || loaded !== stalled || !wantsPlay || seeks !== still.seeks || goesOn) {
        await preload?.destroy()
        return
      }
      const position = video.currentTime
      const kept = { lag, follows }
      before = read(video, player, lag ?? 0, follows)
      await loadInto(player, { ...stalled, startAt, languages: activeLanguages(player) }, preload)
      if (loaded !== stalled) return
      lag = kept.lag
      follows = kept.follows
      limitQuality(player)
      if (beganLive && (!follows || player.seekRange().end <= position)) startFrom(position, stalled)
      if (!follows) {
        player.configure({ streaming: { liveSync: liveSync(false) } })
        video.playbackRate = speed
      }
      // Not awaited, because it is settled only when media arrives.
      if (wantsPlay) play().then((plays) => plays || tell({ type: 'engine.paused' }), tellFailure)
    } catch (error) {
      if (loaded === stalled) tellFailure(error)
    } finally {
      isLoadingAgain = false
    }
  }

  /** Moves to a position as soon as a stream has one. Shaka sets its own start at the same event, before this. */
  function startFrom(position: number, stream: Stream): void {
    const move = () => {
      if (loaded === stream) video.currentTime = position
    }
    if (video.readyState > 0) move()
    else video.addEventListener('loadedmetadata', move, { once: true, signal: gone.signal })
  }

  /** Begins or continues playback. @returns false if the browser blocks autoplay */
  async function play(): Promise<boolean> {
    wantsPlay = true
    try {
      await video.play()
      return true
    } catch (error) {
      // `NotAllowedError` means that the browser blocks autoplay. `AbortError` only means that a pause or a new
      // load interrupted `play`.
      if (error instanceof DOMException && error.name === 'NotAllowedError') return false
      if (error instanceof DOMException && error.name === 'AbortError') return true
      throw engineError(error)
    }
  }

  // Ignores a failure, because `load` awaits the same promise or tries again, and reports the error.
  attached(attachedKind).catch(() => {})

  const hasStalled = stallWatch(video, () => document.visibilityState === 'visible')
  const watch = setInterval(() => {
    if (hasStalled()) void loadAgain()
  }, WATCH_MS)

  const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
    video.addEventListener(name, listener, { signal: gone.signal })
  on('playing', () => {
    takeLag()
    tell({ type: 'engine.playing' })
  })
  // After a pause, the viewer is possibly behind the live edge.
  on('play', () => {
    if (video.paused) return
    wantsPlay = true
    // A stream that is being loaded has no position yet.
    if (video.readyState > 0) followFrom(video.currentTime)
  })
  on('waiting', () => {
    if (!video.paused) tell({ type: 'engine.waiting' })
  })
  on('pause', () => {
    // Ignores the `pause` event at the end of the media, because the element then also sends `ended`. Also ignores a
    // `pause` event that arrives after the viewer has pressed play again.
    if (video.ended || !video.paused) return
    wantsPlay = false
    tell({ type: 'engine.paused' })
  })
  on('seeking', () => {
    // If a segment arrives between a seek and this event, Shaka takes the unbuffered target for a gap and jumps over
    // it. The assignment below undoes the jump. Shaka does not jump again, because after this event it knows that the
    // element is seeking.
    if (asked !== undefined && video.currentTime > asked + SEEK_TOLERANCE_SECONDS) video.currentTime = asked
    asked = undefined
  })
  on('seeked', () => tell({ type: 'engine.seeked' }))
  on('ended', () => tell({ type: 'engine.ended' }))
  on('volumechange', () =>
    tell({ type: 'engine.volume', percent: Math.round(video.volume * 100), muted: video.muted }),
  )

  return {
    prepare: (stream) => {
      dropPrepared()
      const kind = streamKind(stream.url)
      // The stream of the other kind plays until `load`, so its player stays.
      if (kind !== attachedKind) {
        loadShaka(kind).catch(() => {})
        return
      }
      const preload = attached(kind).then((made) => {
        made.configure(streamConfiguration(stream, serviceOrigin()))
        return made.preload(absolute(stream.url), stream.startAt)
      })
      // Ignores a failure, because `load` awaits the preload and reports the error.
      preload.catch(() => {})
      prepared = { key: streamKey(stream), preload }
    },
    load: async (stream) => {
      quality = null
      speed = 1
      before = undefined
      loaded = stream
      const ahead = prepared?.key === streamKey(stream) ? prepared : undefined
      if (ahead === undefined) dropPrepared()
      prepared = undefined
      try {
        await loadInto(await attached(streamKind(stream.url)), stream, await ahead?.preload)
      } catch (error) {
        if (!isInterruption(error)) throw engineError(error)
      }
    },
    play,
    pause: () => {
      wantsPlay = false
      video.pause()
    },
    unload: () => {
      loaded = undefined
      before = undefined
      dropPrepared()
      player?.unload().catch(tellFailure)
    },
    seek: (to) => {
      const position = Math.max(FIRST_POSITION_SECONDS, to)
      takeLag()
      followFrom(position)
      asked = position
      seeks++
      video.currentTime = position
    },
    read: () => {
      takeLag()
      const reading = read(video, player, lag ?? 0, follows)
      if (reading !== NOTHING_READ) before = undefined
      return before ?? reading
    },
    setVolume: (percent) => {
      video.volume = Math.min(1, Math.max(0, percent / 100))
    },
    setMuted: (muted) => {
      video.muted = muted
    },
    setSpeed: (chosen) => {
      speed = chosen
      video.playbackRate = chosen
    },
    chooseAudio: (trackId) => {
      if (player !== undefined) chooseTrack(player, 'AUDIO', trackId)
    },
    chooseSubtitles: (trackId) => {
      if (player !== undefined) chooseTrack(player, 'TEXT', trackId)
      tellTracks()
    },
    chooseQuality: (lines) => {
      quality = lines
      if (player === undefined) return
      limitQuality(player)
      tellTracks()
    },
    thumbnail: async (position) => (player === undefined ? null : await thumbnailAt(player, position)),
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    destroy: () => {
      gone.abort()
      clearInterval(watch)
      listeners.clear()
      void detach(attaching)
    },
  }
}

/** Ends a player. Errors during the teardown have no effect. */
async function detach(attaching: Promise<ShakaPlayer> | undefined): Promise<void> {
  await attaching?.then((made) => made.destroy()).catch(() => {})
}

async function attach(kind: StreamKind, video: HTMLVideoElement, stage: HTMLElement): Promise<ShakaPlayer> {
  const shaka = await loadShaka(kind)
  const player = new shaka.Player(null, stage)
  player.configure(BASE_CONFIGURATION)
  player.getNetworkingEngine()?.registerRequestFilter((type, request) => {
    if (type === shaka.net.NetworkingEngine.RequestType.LICENSE) nameLicenceKey(request)
  })
  await player.attach(video)
  return player
}

function framesOf(video: HTMLVideoElement): number {
  return video.getVideoPlaybackQuality().totalVideoFrames
}

function absolute(address: string): string {
  return new URL(address, serviceOrigin()).href
}

/**
 * Returns a key that is equal for a preload and the load of the same stream: its address and the source of its
 * keys.
 */
function streamKey({ url, licence }: Stream): string {
  return `${url} ${licence?.keySystem ?? ''} ${licence?.licenceUrl ?? ''}`
}

function read(
  video: HTMLVideoElement,
  player: ShakaPlayer | undefined,
  lag: number,
  follows: boolean,
): Reading {
  if (player === undefined || video.readyState === 0) return NOTHING_READ
  const position = video.currentTime
  const live = player.isLive()
  const range =
    live || !Number.isFinite(video.duration) ? player.seekRange() : { start: 0, end: video.duration }
  const edge = live ? Math.max(range.start, range.end - lag) : range.end
  return {
    position,
    duration: edge - range.start,
    bufferedUntil: bufferedUntil(video.buffered, position),
    range: { start: range.start, end: range.end },
    edge,
    followsLive: live && follows && !(video.paused && isBehindLive(position, edge)),
    epoch: live ? epochOf(player.getPresentationStartTimeAsDate(), range.end) : null,
    ad: live ? liveAdAt(player.getAllTimelineRegions(), position) : undefined,
  }
}

function bufferedUntil(buffered: TimeRanges, position: number): number {
  for (let index = 0; index < buffered.length; index++) {
    if (position >= buffered.start(index) - 0.1 && position <= buffered.end(index)) return buffered.end(index)
  }
  return position
}

async function thumbnailAt(player: ShakaPlayer, position: number): Promise<Thumbnail | null> {
  const [track] = player.getImageTracks()
  if (track === undefined) return null
  const found = await player.getThumbnails(track.id, position)
  const url = found?.uris[0]
  if (found === null || url === undefined) return null
  const { positionX: x, positionY: y, width, height, imageWidth, imageHeight } = found
  return { url, x, y, width, height, imageWidth, imageHeight }
}
