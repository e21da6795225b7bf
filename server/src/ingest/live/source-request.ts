import type { Readable } from 'node:stream'
import type { FfmpegSource, LiveSource } from './live-source.ts'
import type { OutputPlan } from './output-plan.ts'

/** HTTP headers that a source's provider expects. */
export interface SourceHeaders {
  userAgent?: string
  referrer?: string
}

/**
 * A source that ffmpeg must not open itself. The keeper opens it, so that the source outlives the requesting
 * process.
 */
export interface SourceRequest {
  source: Extract<LiveSource, { kind: 'rtmp' | 'http' }>
  headers: SourceHeaders
  /** Private hosts, addresses or CIDR ranges that the operator allows. */
  allow: readonly string[]
}

/** How ffmpeg is started: with arguments, or with a source that the keeper opens first. */
export type ProgramStart = (
  | { arguments: readonly string[] }
  | { request: SourceRequest; plan: OutputPlan | undefined }
) & {
  /** How much of the source ffmpeg reads before it lists the streams, in seconds; undefined for the usual time. */
  probeSeconds?: number | undefined
}

/** A source that is open for one run of ffmpeg. */
export interface OpenSource {
  source: FfmpegSource
  /** Stream for ffmpeg's standard input. */
  input?: Readable
  /** Variables of ffmpeg's environment. */
  environment?: Readonly<Record<string, string>>
  /** Aborts when ffmpeg must stop reading the source. */
  signal?: AbortSignal
  close?: () => void
}

/** Opens sources for the ffmpegs of a keeper. */
export interface Sources {
  /**
   * Opens a source. May wait until the source sends. The reception of an RTMP stream key continues after the run,
   * under the name of the input.
   *
   * @param name name of the input
   * @throws LiveSourceError, OutboundError
   */
  open(name: string, request: SourceRequest, signal: AbortSignal): Promise<OpenSource>
  /** Returns whether a source is still being received under a name. */
  has(name: string): boolean
  release(name: string): void
}
