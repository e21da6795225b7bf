import { describe, expect, it } from 'vitest'
import { stallWatch } from './stall-watch.ts'

/** A video whose position and number of frames a test sets. */
class FakeVideo {
  currentTime = 0
  paused = false
  ended = false
  frames = 0
  getVideoPlaybackQuality() {
    return { totalVideoFrames: this.frames, droppedVideoFrames: 0, creationTime: 0, corruptedVideoFrames: 0 }
  }
}

/** Calls the watch every second. `second` changes the video before each call. Returns the seconds that stall. */
function stallsWithin(seconds: number, second: (video: FakeVideo, at: number) => void, isVisible = true) {
  const video = new FakeVideo()
  const hasStalled = stallWatch(video, () => isVisible)
  const stalls: number[] = []
  for (let at = 1; at <= seconds; at++) {
    second(video, at)
    if (hasStalled()) stalls.push(at)
  }
  return stalls
}

describe('stallWatch', () => {
  it('notices no stall while position and picture advance', () => {
    expect(
      stallsWithin(60, (video) => {
        video.currentTime += 1
        video.frames += 25
      }),
    ).toEqual([])
  })

  it('notices a position that stays, again and again, but less and less often', () => {
    expect(
      stallsWithin(1200, (video, at) => {
        if (at > 10) return
        video.currentTime += 1
        video.frames += 25
      }),
    ).toEqual([30, 70, 150, 310, 630, 950])
  })

  it('takes a jump for no end of the stall, and steady progress for one', () => {
    expect(
      stallsWithin(150, (video, at) => {
        if (at === 25 || (at > 80 && at <= 90)) video.currentTime += 1
      }),
    ).toEqual([21, 65, 110, 150])
  })

  it('notices a picture that stays while the sound plays, but only on a visible page', () => {
    const onlySound = (video: FakeVideo, at: number) => {
      video.currentTime += 1
      if (at <= 10) video.frames += 25
    }
    expect(stallsWithin(30, onlySound)).toEqual([30])
    expect(stallsWithin(30, onlySound, false)).toEqual([])
  })

  it('does not take a radio channel for a stall', () => {
    expect(stallsWithin(60, (video) => void (video.currentTime += 1))).toEqual([])
  })

  it('does not take a pause or the end for a stall', () => {
    expect(stallsWithin(60, (video) => void (video.paused = true))).toEqual([])
    expect(stallsWithin(60, (video) => void (video.ended = true))).toEqual([])
  })

  it('counts the seconds anew after a pause and after a short stall', () => {
    expect(
      stallsWithin(57, (video, at) => {
        if (at === 19) video.currentTime += 1
        video.paused = at === 38
      }),
    ).toEqual([])
  })
})
