import type { JsonDictionary } from './job-item.ts';

/**
 * What the logs of most jobs have in common, for Zstandard: argument lists as JSON, and ffmpeg's log with most encoders.
 * Zstandard refers to this text instead of storing it. Never change it: a stored log can only be read with the
 * dictionary that it was written with. To replace it, add another one and its number.
 */
export const logDictionary: JsonDictionary = {
  number: 1,
  text: Buffer.from(
    // JSON of a log has no line breaks.
    `"-reinit_filter:v","-noaccurate_seek","-ss","0.200","-t","1.600","fps=15.000:start_time=0.000,scale=320:180:flags=bicubic,setsar=1,thumbnail=n=24","-frames:v","-update","-an","mjpeg","-q:v","yuvj420p","image2","/tmp/job-/step-1/output.jpg","libmp3lame","160k","-vn","mp3","/tmp/job-/step-1/output.mp3","libsvtav1","8","37","libvpx-vp9","-row-mt","-deadline","good","-cpu-used","5","30","-b:v","0","libopus","webm","/tmp/job-/step-1/output.webm","libx265","fast","-tag:v","hvc1","-x265-params","info=0","25","yuv420p10le"
[info]   Stream #0:0 -> #0:0 (h264 (native) -> mjpeg (native))
[info]   Stream #0:0: Video: av1 (av01 / 0x31307661), yuv420p10le(tv, smpte170m/bt709/bt709, progressive), 320x180 [SAR 1:1 DAR 16:9], q=2-31, 25 fps, 12800 tbn (default)
[info]         encoder         : Lavc61.3.100 libsvtav1
[info]   Stream #0:0 -> #0:0 (h264 (native) -> vp9 (libvpx-vp9))
[info]   Stream #0:1 -> #0:1 (aac (native) -> opus (libopus))
[libvpx-vp9 @ 0x55] [info] v1.14.0
[info] Output #0, webm, to '/tmp/job-/step-1/output.webm':
[info]   Stream #0:0: Video: vp9, yuv420p(tv, smpte170m/bt709/bt709, progressive), 320x180 [SAR 1:1 DAR 16:9], q=2-31, 25 fps, 1k tbn (default)
[info]         encoder         : Lavc61.3.100 libvpx-vp9
[info]   Stream #0:1: Audio: opus, 48000 Hz, mono, flt, 128 kb/s (default)
[info]         encoder         : Lavc61.3.100 libopus
[out#0/webm @ 0x55] [info] video:72KiB audio:36KiB subtitle:0KiB other streams:0KiB global headers:0KiB muxing overhead: 0.0%
[info]   Stream #0:0 -> #0:0 (h264 (native) -> hevc (libx265))
x265 [info]: HEVC encoder version 3.5+116-5a6d85d76
x265 [info]: build info [Linux][GCC 13.2.0][64 bit] 10bit
x265 [info]: using cpu capabilities: MMX2 SSE2Fast LZCNT SSSE3 SSE4.2 AVX FMA3 BMI2 AVX2
x265 [info]: Main 10 profile, Level-2 (Main tier)
x265 [info]: Thread pool created using 2 threads
x265 [info]: Slices                              : 1
x265 [info]: frame threads / pool features       : 1 / wpp(3 rows)
x265 [warning]: Source height < 720p; disabling lookahead-slices
x265 [info]: Coding QT: max CU size, min CU size : 64 / 8
x265 [info]: Residual QT: max TU size, max depth : 32 / 1 inter / 1 intra
x265 [info]: ME / range / subpel / merge         : hex / 57 / 2 / 2
x265 [info]: Keyframe min / max / scenecut / bias  : 25 / 250 / 40 / 5.00 
x265 [info]: Lookahead / bframes / badapt        : 15 / 4 / 0
x265 [info]: b-pyramid / weightp / weightb       : 1 / 1 / 0
x265 [info]: References / ref-limit  cu / depth  : 3 / on / on
x265 [info]: AQ: mode / str / qg-size / cu-tree  : 2 / 1.0 / 32 / 1
x265 [info]: Rate Control / qCompress            : CRF-25.0 / 0.60
x265 [info]: tools: rd=2 psy-rd=2.00 rskip mode=1 signhide tmvp fast-intra
x265 [info]: tools: strong-intra-smoothing deblock sao
[info]   Stream #0:0: Video: hevc (hvc1 / 0x31637668), yuv420p10le(tv, smpte170m/bt709/bt709, progressive), 320x180 [SAR 1:1 DAR 16:9], q=2-31, 25 fps, 12800 tbn (default)
[info] frame=   50 fps=0.0 q=32.9 Lsize=      83KiB time=00:00:01.92 bitrate= 356.2kbits/s speed=4.88x    
x265 [info]: frame I:      1, Avg QP:23.36  kb/s: 720.20  
x265 [info]: frame P:     10, Avg QP:25.78  kb/s: 390.56  
x265 [info]: frame B:     39, Avg QP:32.12  kb/s: 144.64  
x265 [info]: Weighted P-Frames: Y:0.0% UV:0.0%
encoded 50 frames in 0.38s (131.40 fps), 205.33 kb/s, Avg QP:30.67
{"attempt":1,"ffmpegVersion":"ffmpeg version n7.0-7-gd38bf5e08e-20240407","inputs":[{"name":"input-1","bytes":1,"sha256":""}],"commands":[["-hide_banner","-nostdin","-y","-loglevel","level+info","-nostats","-progress","pipe:1","-stats_period","0.5","-max_alloc","1073741824","-timelimit","610","-protocol_whitelist","file","-format_whitelist","mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,ogg,mp3,aac,flac,wav,asf,gif,mxf,dv,aiff,ac3,eac3,png_pipe,jpeg_pipe,webp_pipe,tiff_pipe","-codec_whitelist","h264,hevc,av1,libdav1d,libaom-av1,vp8,vp9,libvpx,libvpx-vp9,mpeg1video,mpeg2video,mpegvideo,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,h261,h263,h263p,h263i,flv,vp6,vp6a,vp6f,theora,wmv1,wmv2,wmv3,vc1,mjpeg,mjpegb,jpeg2000,libopenjpeg,svq1,svq3,cinepak,qtrle,prores,dnxhd,dvvideo,cfhd,hap,ffv1,huffyuv,ffvhuff,utvideo,magicyuv,rawvideo,v210,v308,v408,v410,r210,wrapped_avframe,png,apng,gif,webp,tiff,aac,aac_latm,ac3,eac3,dca,truehd,mlp,opus,libopus,vorbis,libvorbis,mp1float,mp1,mp2float,mp2,mp3float,mp3,flac,alac,tta,wavpack,wmav1,wmav2,wmapro,wmalossless,wmavoice,amrnb,amrwb,speex,libspeex,nellymoser,libopencore_amrnb,libopencore_amrwb,gsm,gsm_ms,mace3,mace6,qdm2,qdmc,s302m,dvaudio,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,adpcm_swf,adpcm_yamaha,g722,g726,pcm_s8,pcm_u8,pcm_alaw,pcm_mulaw,pcm_bluray,pcm_dvd,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_s64le,pcm_s64be,pcm_u16le,pcm_u16be,pcm_u24le,pcm_u24be,pcm_u32le,pcm_u32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_s8_planar,pcm_s16le_planar,pcm_s16be_planar,pcm_s24le_planar,pcm_s32le_planar,ass,ssa,srt,subrip,webvtt,mov_text,text,cc_dec,dvbsub,dvdsub,pgssub,xsub,libzvbi_teletextdec,libaribcaption,libaribb24","-max_streams","64","-max_pixels","67108864","-i","/tmp/job-/input-1","-map","0:0","-vf","scale=320:180:flags=bicubic,setsar=1,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m","-c:v","libx264","-threads:v","3","-preset","medium","-crf","28","-pix_fmt","yuv420p","-fps_mode:v","vfr","-enc_time_base:v","demux","-map","0:1","-af","aresample=async=1","-c:a","aac","-ac","1","-b:a","128k","-sn","-dn","-map_metadata","-1","-map_chapters","-1","-movflags","+faststart","-f","mp4","/tmp/job-/step-1/output.mp4"]],"log":"
[info] ffmpeg stats and -progress period set to 0.5.
[info] Input #0, mov,mp4,m4a,3gp,3g2,mj2, from '/tmp/job-/input-1':
[info]   Metadata:
[info]     major_brand     : isom
[info]     minor_version   : 512
[info]     compatible_brands: isomiso2avc1mp41
[info]     encoder         : Lavf61.1.100
[info]   Duration: 00:00:02.00, start: 0.000000, bitrate: 1187 kb/s
[info]   Stream #0:0[0x1](und): Video: h264 (Constrained Baseline) (avc1 / 0x31637661), yuv420p(progressive), 320x180 [SAR 1:1 DAR 16:9], 1078 kb/s, 25 fps, 25 tbr, 12800 tbn (default)
[info]         handler_name    : VideoHandler
[info]         vendor_id       : [0][0][0][0]
[info]         encoder         : Lavc61.3.100 libx264
[info]   Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, mono, fltp, 96 kb/s (default)
[info] Stream mapping:
[info]   Stream #0:0 -> #0:0 (h264 (native) -> h264 (libx264))
[info]   Stream #0:1 -> #0:1 (aac (native) -> aac (native))
[libx264 @ 0x55] [info] using SAR=1/1
[libx264 @ 0x55] [info] using cpu capabilities: MMX2 SSE2Fast SSSE3 SSE4.2 AVX FMA3 BMI2 AVX2 AVX512
[libx264 @ 0x55] [info] profile High, level 1.2, 4:2:0, 8-bit
[libx264 @ 0x55] [info] 264 - core 164 - H.264/MPEG-4 AVC codec - Copyleft 2003-2024 - http://www.videolan.org/x264.html - options: cabac=1 ref=3 deblock=1:0:0 analyse=0x3:0x113 me=hex subme=7 psy=1 psy_rd=1.00:0.00 mixed_ref=1 me_range=16 chroma_me=1 trellis=1 8x8dct=1 cqm=0 deadzone=21,11 fast_pskip=1 chroma_qp_offset=-2 threads=3 lookahead_threads=1 sliced_threads=0 nr=0 decimate=1 interlaced=0 bluray_compat=0 constrained_intra=0 bframes=3 b_pyramid=2 b_adapt=1 b_bias=0 direct=1 weightb=1 open_gop=0 weightp=2 keyint=250 keyint_min=25 scenecut=40 intra_refresh=0 rc_lookahead=40 rc=crf mbtree=1 crf=28.0 qcomp=0.60 qpmin=0 qpmax=69 qpstep=4 ip_ratio=1.40 aq=1:1.00
[info] Output #0, mp4, to '/tmp/job-/step-1/output.mp4':
[info]   Stream #0:0: Video: h264 (avc1 / 0x31637661), yuv420p(tv, smpte170m/bt709/bt709, progressive), 320x180 [SAR 1:1 DAR 16:9], q=2-31, 25 fps, 12800 tbn (default)
[info]       Side data:
[info]         cpb: bitrate max/min/avg: 0/0/0 buffer size: 0 vbv_delay: N/A
[info]   Stream #0:1: Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, mono, fltp, 128 kb/s (default)
[info]         encoder         : Lavc61.3.100 aac
[mp4 @ 0x55] [info] Starting second pass: moving the moov atom to the beginning of the file
[out#0/mp4 @ 0x55] [info] video:33KiB audio:30KiB subtitle:0KiB other streams:0KiB global headers:0KiB muxing overhead: 0.0%
[info] frame=   50 fps=0.0 q=-1.0 Lsize=      66KiB time=00:00:01.92 bitrate= 282.4kbits/s speed=9.79x    
[libx264 @ 0x55] [info] frame I:1     Avg QP:25.89  size:  2990
[libx264 @ 0x55] [info] frame P:15    Avg QP:32.20  size:   937
[libx264 @ 0x55] [info] frame B:34    Avg QP:36.55  size:   476
[libx264 @ 0x55] [info] consecutive B-frames:  0.0%  0.0% 0.0% 0.0%
[libx264 @ 0x55] [info] mb I  I16..4: 0.0% 0.0% 0.0%
[libx264 @ 0x55] [info] mb P  I16..4:  0.0%  0.0%  0.0%  P16..4: 0.0%  0.0%  0.0%  0.0%  0.0%    skip:0.0%
[libx264 @ 0x55] [info] mb B  I16..4:  0.0%  0.0%  0.0%  B16..8: 0.0%  0.0%  0.0%  direct: 0.0%  skip:0.0%  L0:0.0% L1:0.0% BI: 0.0%
[libx264 @ 0x55] [info] 8x8 transform intra:0.0% inter:0.0%
[libx264 @ 0x55] [info] coded y,uvDC,uvAC intra: 0.0% 0.0% 0.0% inter: 0.0% 0.0% 0.0%
[libx264 @ 0x55] [info] i16 v,h,dc,p: 66% 24%  8%  2%
[libx264 @ 0x55] [info] i8 v,h,dc,ddl,ddr,vr,hd,vl,hu: 18% 16% 62%  2%  0%  0%  0%  0%  1%
[libx264 @ 0x55] [info] i8c dc,h,v,p: 47% 21% 31%  1%
[libx264 @ 0x55] [info] Weighted P-Frames: Y:0.0% UV:0.0%
[libx264 @ 0x55] [info] ref P L0: 0.0%  0.0% 0.0% 0.0%
[libx264 @ 0x55] [info] ref B L0: 0.0% 0.0%  0.0%
[libx264 @ 0x55] [info] ref B L1: 0.0%  0.0%
[libx264 @ 0x55] [info] kb/s:132.84
[aac @ 0x55] [info] Qavg: 807.323`.replaceAll('\n', '\\n'),
  ),
};
