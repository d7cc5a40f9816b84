"""The character sets and case foldings of Unicode 15.0.0, as Go 1.26 has them. Generated: do not edit.

Numbers are in base 36. A set is `name gap+more gap+more ...;`: `gap` characters after the range before (or from zero)
are not in it, the next one is, and so are `more` after that (without `+more`, none). A folding is
`start+count+step+distance;`: each of `count` characters from `start` on in steps of `step` folds to the one `distance`
further on; the first character of an orbit of three or four does so in two or three foldings.
"""

SETS = """
Adlam 2olc+23 4+9 4+1; Ahom 1j40+q 2+e 4+m; Anatolian_Hieroglyphs 1s00+g6; Arabic 16o+4 1+5 1+d 1+2 1+v 1+9 b+p 1+2z
1+x 28+1b 6o+u 1+1 6+21 1+s 1bv4+36 g+a2 2+27 2+1h 7 w+f 34+4 1+3q 31f+u 3i+2 181s+3 1+q 1+1 1 2 1+9 1+3 1 1 6 4 1 1
1+2 1+1 1 2 1 1 1 1 1+1 1 2+3 1+6 1+3 1+3 1 1+9 1+g 5+2 1+4 1+g 1g+1; Armenian 10x+11 2+1d 2+2 1chv+4; Avestan 1gqo+1h
3+6; Balinese 5c0+24 3+1a; Bamum www+2f 124o+fs; Bassa_Vah 1zo0+t 2+5; Batak 5hc+1f 8+3; Bengali 1vk+3 1+7 2+1 2+l 1+6
1 3+3 2+8 2+1 2+3 8 4+1 1+4 2+o; Bhaiksuki 1k3k+8 1+18 1+d a+s; Bopomofo kq+1 93t+16 34+v; Brahmi 1hq8+25 4+z 9;
Braille 7wg+73; Buginese 54w+r 2+1; Buhid 4lc+j; Canadian_Aboriginal 3y8+hr fk+1x 1ewq+f; Carian 1f34+1c;
Caucasian_Albanian 1flc+1f b; Cc 0+v 2n+w; Cf 4t 11u+5 m 5c 1d ao+1 28 2zv 1ks+4 q+4 1d+4 1+9 17yn 6x+2 3b5 f 6zm+f
qxs+3 43z+7 h406 u+2n; Chakma 1hxc+1g 1+h; Cham xkw+1i 9+d 2+9 2+3; Cherokee 3vk+2d 2+5 twy+27; Chorasmian 1ho0+r; Co
188w+4xr jpc0+1ekd 2+1ekd; Common 0+1s q+5 q+1a 1+e 1+4 n v ch+12 5+4 2+j 38 9 6 1 hp 6 e 3 w 4c ec 3l+1 yh b9+3 82
167+2 1z+1 5n+1 1 y5 d 7+3 1+5 1+2 2 lh+b 2+2e 1+a 3+a 1+e h+w 1r+11 1+2 2+5 1+q 1+g 15+2 4+ie p+a l+pr 74+hf 2+v 1+2w
e8+2l b6+b 4+4 1 1+o f+7 4+3 2j+1 3 2i+1 43+f w+z 1o+1r v+28 1b 2g+4n 534+1r hkw+x 2u+2 4l+9 6s 4g az e+1 g5u+1 5s+9
m+y 1+i 1+3 43 1+v q+5 q+a a 19+1 1s+6 1+6 a+4 76+2 4+18 3+8 28+c 1f+18 6c+q 10o4+3 3os+37 1o+6t a+12 2+1p 3+g 8+1 7+t
4+1o 5x+j c+j c+2e 9+o 3r+2c 1+1y 1+1 2 2+1 2+3 1+b 1 1+6 1+1s 1+3 2+7 1+6 1+r 1+3 1+4 1 3+6 1+9f 2+83 2+1d 41d+1v
24+1o jm+17 4+2r c+e 2+e 1+e 1+10 a+4t 1k+p 1+1 d+17 4+8 7+1 e+5 4a+rb 4+g 3+c 3+3a 4+2m 6+b 4 f+b 4+1j 8+9 6+13 8+t
2+1 26+9f c+d 2+c 3+8 7+19 1+6 8+d 4+8 7+8 7+42 1+1i 11+9 gvlz u+2n; Coptic rm+d 80g+37 5+6; Cs 16o0+1kv; Cuneiform
1kw0+pl 2u+32 1+4 b+5f; Cypriot 1g5c+5 2 1+17 1+1 3 2; Cypro_Minoan 1nyo+2q; Cyrillic sg+3o 2+4o 4ls+8 4i 24 38n+v
nr4+2n ham+1 18n4+1p x; Deseret 1fcw+27; Devanagari 1s0+28 4+e 2+p vhc+v mio+9; Dives_Akuru 1ji8+6 2 2+7 1+1 1+t 1+1
2+b 9+9; Dogra 1jb4+1n; Duployan 2fpc+2y 5+c 3+8 7+9 2+3; Egyptian_Hieroglyphs 1o1s+ut; Elbasan 1fk0+13; Elymaic
1hpc+m; Ethiopic 3k0+20 1+3 2+6 1 1+3 2+14 1+3 2+w 1+3 2+6 1 1+3 2+e 1+1k 1+3 2+1u 2+v 3+p 546+m 9+6 1+6 1+6 1+6 1+6
1+6 1+6 1+6 opu+5 2+5 2+5 9+6 1+6 1qk1+6 1+3 1+1 1+e; Georgian 3a8+11 1 5 2+16 1+3 2a8+16 2+2 37k+11 1 5; Glagolitic
8ow+2n 2e1s+6 1+g 2+6 1+1 1+4; Gothic 1f74+q; Grantha 1ibk+3 1+7 2+1 2+l 1+6 1+1 1+4 2+8 2+1 2+2 2 6 5+6 2+6 3+4;
Greek og+3 1+2 2+3 1 4 1 1+2 1 1+j 1+1q e+f 4yu+4 1e+4 4+4 2c 8w+l 2+5 2+11 2+5 2+7 1 1 1 1+u 2+1g 1+e 1+d 2+5 1+i 2+2
1+8 87 rb2 gyi+26 h 155r+1x; Gujarati 22p+2 1+8 1+2 1+l 1+6 1+1 1+4 2+9 1+2 1+2 2 f+3 2+b 7+6; Gunjala_Gondi 1kdc+5
1+1 1+10 1+1 1+5 7+9; Gurmukhi 1z5+2 1+5 4+1 2+l 1+6 1+1 1+1 1+1 2 1+4 4+1 2+2 3 7+3 1 7+g; Han 96o+p 1+2g c+5x 1b 1
p+8 e+3 qs+533 1s+g73 hkw+a5 2+2x n48+1 c+1 sge+wyn w+37d 6+65 2+4g1 e+5rk 2e7+f1 15u+3t6 5+38f; Hangul 3cw+73 5ym+1
75+2l 35+u 1t+u nhd+s hv+8mb c+m 4+1c 7tw+u 3+5 2+5 2+5 2+2; Hanifi_Rohingya 1h4w+13 8+9; Hanunoo 4kg+k; Hatran 1gbk+i
1+1 5+4; Hebrew 13l+1i 8+q 4+5 1cfc+p 1+4 1 1+1 1+1 1+9; Hiragana 9j5+2d 6+2 23q9+7y i t+2 crx; Imperial_Aramaic
1g74+l 1+8; Inherited lc+33 7p+1 ck+a q kg+3 3ff+u e9+2 1+c 1+6 4 6 3+1 5i+1r ek+1 5e+w 309+3 2z+1 14kl+f g+d r3 6a
38a 1138+19 2+m f4+2 h+7 2+6 u+3 h45u+6n; Inscriptional_Pahlavi 1gtc+i 5+7; Inscriptional_Parthian 1gsg+l 2+7;
Javanese xhc+25 2+9 4+1; Kaithi 1hts+1u a; Kannada 2gw+c 1+2 1+m 1+9 1+4 2+8 1+2 1+3 7+1 6+1 1+3 2+9 1+2; Katakana
9lt+2h 2+2 6o+f 5s+1a 1+2f 14b2+9 1+18 ytu+3 1+6 1+1 1 7z+2 1e e+3; Kawi 1kow+g 1+14 3+r; Kayah_Li xds+19 1;
Kharoshthi 1gjk+3 1+1 5+7 1+2 1+s 2+2 4+9 7+8; Khitan_Small_Script 20o4 5cr+d1; Khmer 4n4+2l 2+9 6+9 di+v; Khojki
1i4g+h 1+1a; Khudawadi 1i9c+1m 5+9; Lao 2v5+1 1 1+4 1+n 1 1+m 2+4 1 1+6 1+9 2+3; Latin 1t+p 6+p 1b f 5+m 1+u 1+cg 13+4
55n+11 6+1c 5+3 5+c 1+1x 1t+73 a9 d g+c 3x+1 6 r h+14 253+v o82+2t 3+1r 5+1 1 1+4 o+d mo+16 1+8 1+3 fpy+6 t6+p 6+p
1lx+5 1+15 1+8 16it+u 6+5; Lepcha 5j4+1j 3+e 3+2; Limbu 4xs+u 1+b 4+b 4 3+b; Linear_A 1fr4+8m 9+l a+7; Linear_B 1ekg+b
1+p 1+i 1+1 1+e 2+d y+3e; Lisu wk0+1b o8g; Ll 2p+p 1m 15+n 1+7 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1+1 1 1 1 1 1 1 1 1+1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1+2 2 1 2 3+1 4 2 3+2 2 2 1 1 2 1+1 1 2 3 1
2+1 2+2 6 2 2 1 1 1 1 1 1 1 1+1 1 1 1 1 1 1 1 1 1+1 2 1 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1+6
2 2+1 1 4 1 1 1 1+1w 1+q 5d 1 3 3+2 i r+y 1+1 3+2 1 1 1 1 1 1 1 1 1 1 1 1+4 1 2 2+1 1f+1b 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1+1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1c+14 287+16 2+2 l4+5 1oi+8 3b+17 1r+c 1+x 2u 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1+8 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1+8 8+5
a+7 8+7 8+5 a+7 8+7 8+d 2+7 8+7 8+7 8+4 1+1 6 3+2 1+1 8+3 2+1 8+7 a+2 1+1 7m 3+1 3 r 4 4 2+1 8+3 4 1h 23v+1b 1 3+1 1 1
1 4 1+1 1+5 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1+1 7 1
4 c+11 1 5 nwz 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 j 1 1 1 1 1 1 1 1 1 1 1 1 1 3r 1 1 1 1 1 1+2 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1+7 1 1 2 1 1 1 1 4 1 2 1+2 1 1 1 1 1 1 1 1 1 1 5 5 1 1 1 1 1 1 1 4 1
6 1 1 1 1 s 3 mt+16 5+8 7+27 fnk+6 c+4 tl+p y5+13 3s+z 4b+a 1+e 1+6 1+1 1dv+1e 2bx+v gw0+v k2i+p q+6 1+h q+p q+3 1 1+6
1+a q+p q+p q+p q+p q+p q+p q+p q+p q+r s+o 1+5 q+o 1+5 q+o 1+5 q+o 1+5 q+o 1+5 1 1f8+9 1+j 6+5 1yv+x; Lm j4+h 4+b e+4
7 1 3p 5 da 6e 4k+1 7h+1 4 v 9 3 4g 4n yc 3j fp 1cq 2z gz cw+5 4u+1q d y+10 j5 d g+c 2cf+1 6p 5b d1 17+4 5 2p+1 2l+2
lxy yq+5 7i 36 s+1 3d+8 28 n 2x+2 3+1 d1 m 3t 30 l+1 2v+3 9 gli 19+1 1k0+5 1+15 1+8 jnp+3 un+c 1s+1 1 cng+3 1+6 1+1
9ip+1p 5l+6 q5 v3; Lo 4q f 74 4+3 5s mz+q 4+3 19+v 1+9 z+1 1+2q 1 o+1 a+2 2 g 1+t t+2g b o+w l+l 16+o 7+a 5+n 1+5 h+14
1n+1h 3 i 7+9 g+e 4+7 2+1 2+l 1+6 1 3+3 3 g d+1 1+2 e+1 a 8+5 4+1 2+l 1+6 1+1 1+1 1+1 v+3 1 j+2 g+8 1+2 1+l 1+6 1+1
1+4 3 i f+1 n b+7 2+1 2+l 1+6 1+1 1+4 3 u+1 1+2 f h 1+5 3+2 1+3 3+1 1 1+1 3+1 3+2 3+b m 1g+7 1+2 1+m 1+f 3 q+2 2 2+1 u
4+7 1+2 1+m 1+9 1+4 3 v+1 1+1 f+1 h+8 1+2 1+14 2 g 5+2 8+2 o+5 5+h 3+n 1+8 1 2+6 1m+1b 1+1 c+5 1n+1 1 1+4 1+n 1 1+9
1+1 9 2+4 n+3 w 1r+7 1+z r+4 37+16 k g+5 4+3 3 3+1 7+2 4+c c 35+94 1+3 2+6 1 1+3 2+14 1+3 2+w 1+3 2+6 1 1+3 2+e 1+1k
1+3 2+1u 11+f 35+h7 2+g 1+p 5+22 6+7 7+h d+i e+h e+c 1+2 f+1f 14 1v+y 1+1g 7+4 2+x 1 5+1x a+u 1d+t 2+4 b+17 4+p 1i+m
9+1g 4w+1a h+7 1i+t d+1 a+17 q+z 15+2 a+t 35+3 1+5 1+1 3 u2+3 2d3+1j o+m 9+6 1+6 1+6 1+6 1+6 1+6 1+6 1+6 fb 1h 4+2d 8
1+2h 4 5+16 1+2l h+v 1c+f e8+533 1s+g7o 1+vq 1v+13 8+7f 4+f a+1 1u 1d+1x 4p 2v 3+6 1+2 1+3 1+m t+1f e+1d 1q+5 3 1+1
b+r a+m p+s 7+1a 19+4 2+8 a+4 1+14 n+2 1+7 k+f 1+5 3 3+1d 1 3+1 2+4 2 1 o+1 3+a 7 e+5 2+5 2+5 9+6 1+6 41+y t+8mb c+m
4+1c 6is+a5 2+2x 1v 1+9 1+c 1+4 1 1+1 1+1 1+2z x+a2 i+1r 2+1h 14+b 38+4 1+3q 2x+9 1+18 2+u 3+5 2+5 2+5 2+2 z+b 1+p 1+i
1+1 1+e 2+d y+3e at+s 3+1c 1b+v d+j 1+7 6+11 a+t 2+z 4+7 3k+25 2q+13 8+1f 4c+8m 9+l a+7 48+5 2 1+17 1+1 3 2+m a+m 9+u
1t+i 1+1 a+l a+p 1y+1j 6+1 1s f+3 1+2 1+s 16+s 3+s z+7 1+r r+1h a+l a+i d+h 32+20 53+z 9o+15 6+1 26+s a 8+l 16+h 1a+k
r+m c+1g 1l+1 2 d+18 w+o q+z t 2 8+y 3 c+1b e+3 l 1 z+h 1+o j+1 1r+6 1 1+3 1+e 1+9 7+1a 12+7 2+1 2+l 1+6 1+1 1+4 3 i
c+4 4e+1g i+3 k+2 u+1b k+1 1 54+1a 15+3 10+1b k 1n+16 d 1z+q 11+6 55+17 5v+7 2 2+7 1+1 1+n f 1 2m+7 2+12 g 1 s a+13 7
l b+19 j i+20 7b+8 1+10 h 1d+t 34+6 1+1 1+11 l p+5 1+1 1+v e 93+i f 1+c 1+x 3g 27+pl 6e+5f 218+2o f+tr h+5 33t+g6
6nt+fs 7+u h+26 h+t i+1b 1f+k 5+i og+22 5 4v+4qf 8+yd 16+8 6wn+82 f t+2 2 e+3 8+az 1s4+2y 5+c 3+8 7+9 6sw dx+18 x 8x+t
i+17 dg+q l1+6 1+3 1+1 1+e 1+5g 117+3 1+q 1+1 1 2 1+9 1+3 1 1 6 4 1 1 1+2 1+1 1 2 1 1 1 1 1+1 1 2+3 1+6 1+3 1+3 1 1+9
1+g 5+2 1+4 1+g 3es+wyn w+37d 6+65 2+4g1 e+5rk 2e7+f1 15u+3t6 5+38f; Lt cl 2 2 12 5ud+7 8+7 8+7 c f 1b; Lu 1t+p 2t+m
1+6 x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1+1 1 1 3+1 1 1+1 1+2 2+3 1+1 1+2 3+1 1+1 1 1 1+1 1 2 1+1 1+2 1 1+1 3 7 2 2 2 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 2 2
1+2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 7+1 1+1 2 1+3 1 1 1 1 81 1 3 8 6 1+2 1 1+1 1+g 1+8 z 2+2
3 1 1 1 1 1 1 1 1 1 1 1 5 2 1+1 2+1e 1c 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1+1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 2+11 289+11 1 5 k2+2d 1p6+16 2+2 8w 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9+7 8+5 a+7 8+7 8+5 b 1 1 1 8+7 20+3 c+3 c+3 c+4 b+3 7a 4 3+2 2+2 2
3+4 6 1 1 1+3 2+3 a+1 5 1p 22k+1b 1c 1+2 2 1 1 1+3 1 2 8+2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 8 1 4 nyl 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 j 1 1 1 1 1 1 1 1 1 1 1 1
1 3r 1 1 1 1 1 1 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 a 1 1+1 1 1 1 1 4 1 2 1 3 1 1 1 1 1 1 1
1 1 1+4 1+4 1 1 1 1 1 1 1 1+3 1 6 5 1 s h7v+p xx+13 3s+z 4c+a 1+e 1+6 1+1 1d6+1e 2ct+v gw0+v k2o+p q+p q+p q 1+1 2 2+1
2+3 1+7 q+p q+1 1+3 2+7 1+6 r+1 1+3 1+4 1 3+6 r+p q+p q+p q+p q+p q+p u+o x+o x+o x+o x+o x 3ed+x; Lycian 1f28+s;
Lydian 1gdc+p 5; Mahajani 1hzk+12; Makasar 1ko0+o; Malayalam 2kg+c 1+2 1+1e 1+2 1+5 4+f 2+p; Mandaic 1mo+r 2;
Manichaean 1gow+12 4+b; Marchen 1k6o+v 2+l 1+d; Masaram_Gondi 1kao+6 1+1 1+17 3 1+1 1+8 8+9; Mc 1s3 1j 2+2 8+3 1+1
1e+1 1m+2 6+1 2+1 a 17 1m+2 1u 1m+2 8 1+1 1h+1 1m 1 6+1 2+1 a 2u+1 1+1 3+2 1+2 a 15+2 1p+3 1p+1 1m 1+4 2+1 1+1 9+1 s
e+1 1m+2 5+2 1+2 a 16+1 23+2 6+7 i+1 96+1 1r 4r+1 4 6 2+1 p+1 a+2 2+6 l+1 2+5 2 a+2 1a0 u 3l 7+7 1+1 9m+3 2+2 4+1 1+5
68+1 1m 1 9 1+1 8+5 41 1c 5 1+4 1+1 1p u 4+1 2 1o 2+2 1 3+1 1c+7 8+1 4r l 3sm+1 noz+1 2 2g+1 1e+f 3y+1 1b 1c+1 4+1 2+2
32+1 2+1 o 19 1 31 2+1 5 6l+1 1+1 1+1 1 jrn 1 3j 19+2 4+1 37 o+1 1n 1c+2 9+1 d 2l+2 3+1 1 4q+2 v+1 1m+1 1+3 2+1 2+2 9
a+1 5t+2 8+1 3 2y+2 6 1+3 2 6l+2 6+3 2 35+2 8+1 1 31 1+1 6 2x+1 4 79+2 9 6v+5 1+1 4 2 1 3y+2 8+3 4 2c t+1 1q bb e 2y 7
2 5x+4 4+1 1 9q+1 c 1c+1 8+1 1 ftb+1i 2w+1 j8z+1 6+5; Me w8+1 4dw 17i+3 1+2 qdn+2; Medefaidrin 20cg+2i; Meetei_Mayek
xr4+m 5l+19 2+9; Mende_Kikakui 2oe8+5g 2+f; Meroitic_Cursive 1ggw+n 4+j 2+19; Meroitic_Hieroglyphs 1gg0+v; Miao
20hs+22 4+1k 7+g; Mn lc+33 7n+4 7d+18 1 1+1 1+1 1 20+a 1c+k g 2t+6 2+5 2+1 1+3 z u+q 2j+a 1m+8 9 o+3 1+8 1+2 1+4 17+2
1o+7 16+n 1+v 1j 1 4+7 4 3+6 a+1 t 1m 4+3 8 k+1 q 2+1 1l 4+1 4+1 2+2 3 u+1 3 b+1 1l 4+4 1+1 4 k+1 m+5 1 1m 2 1+3 8 7+1
b+1 u 1p c 1e 3 1j 1+2 5+2 1+3 7+1 b+1 t 1m 2 6 5+1 k+1 s+1 1l+1 4+3 8 k+1 t 20 7+2 1 2i 2+6 c+7 2q 2+8 b+6 21+1 r 1 1
1j+d 1+4 1+1 5+a 1+z 9 2u+3 1+5 1+1 2+1 p+1 4+2 g+3 d 2+1 6 f jj+2 qa+2 t+1 u+1 u+1 1s+1 1+6 8 2+a 9 19+2 1 39+1 y
3a+2 4+1 9 6+2 63+1 2 1m 1+6 1 1 2+7 6+9 2 1c+d 1+f 1d+3 1c 1+4 1 5 14+8 c+1 w+3 2+1 1+2 1k 1+1 3 1+2 1m+7 2+1 48+2
1+c 1+6 4 6 3+1 5i+1r k0+c 4 3+b 2da+2 3x 2o+v fe+3 2z+1 n9w 4+9 w+1 28+1 7k 3 4 p+1 5 47+1 q+h d 12+7 p+a 1a+2 1c 2+3
2+1 13 1v+5 2+1 2+1 c 8 1b 1f 1+2 2+1 5+1 1 16+1 8 6m 2 4 fn4 kh+f g+f r1 6a 45+4 1ae+2 1+1 5+3 14+2 4 4l+1 fx+3 ar+1
28+2 1y+a 1d+3 3f 1i+e 15 2+1 a+2 1d+3 2+1 7 1p+2 10+4 1+7 1q c+1 1g+8 a+3 2 2n+2 2 1+1 6 2 4d 3+7 l+1 1l+1 3 11+6 3+4
5f+7 2+2 1 n 2c+5 1 4+1 1+1 6m+3 6+1 1+1 r+1 2d+7 2 1+1 2y 1 2+5 1 2t+2 2+3 1+4 77+8 1+1 74+1 1 4 40+3 2+1 4 w+9 14+5
2+3 8 9+5 2+2 1a+c 1+1 ba+6 1+5 1 2a+l 2+6 1+1 1+1 3e+5 3 1+1 1+6 1 20+1 3 1 9n+1 b+1 1g+4 5 1 459 6+e asa+4 1n+6 t4
1r+3 29 f5k+1 3mp+19 2+m f4+2 h+7 2+6 u+3 44+2 1iz+1i 4+1d 8 e m+4 1+e 11s+6 1+g 2+6 1+1 1+4 2s 4g+6 af 1p+3 e4+3 rk+6
31+6 gzhx+6n; Modi 1iww+1w b+9; Mongolian 4qo+1 2 1+j 6+2g 7+16 1e45+c; Mro 1zk0+u 1+9 4+1; Multani 1i80+6 1 1+3 1+e
1+a; Myanmar 35s+4f u9s+u 2p+v; Nabataean 1g8w+u 8+8; Nag_Mundari 2nrk+15; Nandinagari 1jmo+7 2+19 2+a; Nd 1c+9 17q+9
3q+9 5i+9 bg+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 2o+9 3a+9 1y+9 7q+9 1y+9 1fq+9 12+9 8c+9 3k+9 4m+9 6+9
52+9 2e+9 3q+9 6+9 r7q+9 iu+9 12+9 5i+9 m+9 2e+9 ba+9 geu+9 13a+9 1om+9 mk+9 3k+9 1o+9 40+9 7q+9 9i+9 3a+9 ae+9 2u+9
2u+9 bq+9 2u+9 l2+9 6u+9 1y+9 bq+9 eti+9 2e+9 3q+9 lf8+1d 1ts+9 bq+9 dy+9 uu+9 3o6+9; New_Tai_Lue 51c+17 4+p 6+a 3+1;
Newa 1iio+2j 1+4; Nko 1j4+1m 2+2; Nl 4j2+2 227+y 2+3 2v2 p+8 e+2 nfv+9 hu8+1g cs 8 3q+4 6cq+32; No 4y+1 5 2+2 1th+5
ag+5 3c+2 3p+6 61+6 h+8 c1+9 tx+j vn+9 dc 1at 3+5 6+9 5i+f 15 k6+1n 26+l hi+t 12h wk+3 3u+9 u+7 1+e w+9 13+e n74+5
hjl+18 1t+3 h+1 9h+q 10+3 110+7 p+6 13+8 23+4 m+5 4g+1 2+f 2+19 1s+8 1g+1 u+2 23+4 2w+7 o+7 15+6 96+5 9s+u 4e+9 16+3
34+6 3q+j aj+j 11h+1 by+8 o7+i nn+k ex2+6 m6+m js9+j c+j 30+o 47i+8 pt+1m 1+2 1+3 24+18 1+e qq+c; Nushu 20o1 cy6+az;
Nyiakeng_Puachue_Hmong 2n0g+18 3+d 2+9 4+1; Ogham 4g0+s; Ol_Chiki 5lc+1b; Old_Hungarian 1h1c+1e d+1e 7+5; Old_Italic
1f5s+z 9+2; Old_North_Arabian 1gn4+v; Old_Permic 1f80+16; Old_Persian 1fa8+z 4+d; Old_Sogdian 1hj4+13;
Old_South_Arabian 1gm8+v; Old_Turkic 1gxs+20; Old_Uyghur 1hm8+p; Oriya 269+2 1+7 2+1 2+l 1+6 1+1 1+4 2+8 2+1 2+2 7+2
4+1 1+4 2+h; Osage 1fhs+z 4+z; Osmanya 1fgg+t 2+9; Pahawh_Hmong 1zpc+1x a+9 1+6 1+k 5+i; Palmyrene 1g80+v; Pau_Cin_Hau
1juo+1k; Pc 2n 6an+1 j 17tq+1 o+2 6n; Pd 19 124 1f 2td sl 1l5+5 2rl 2 v+1 4 s ce j 33 14ls+1 11 a 4p 333; Pe 15 1f v
2wt 1 1ge 1wp 1j f hm 1 u u6 1 1 1 1 1 1 28 w 1 1 1 1 b8 1 1 1 1 1 1 1 1 1 1 1s 1 x th 1 1 1 18 1 1 1 bw 1 1 1 1 3 1 1
1 2+1 14im 61 t 1 1 1 1 1 1 1 3 h 1 1 4q 1f v 2 2; Pf 57 671 3 s 2q0 1 4 2 f 3; Phags_Pa x8g+1j; Phoenician 1gcg+r 3;
Pi 4r 67g 2+1 2 p 2q0 1 4 2 f 3; Po x+2 1+2 2 1 1+1 a+1 3+1 r 1w 5 e+1 7 ji 8 cy+5 15 1i 2 2 18+1 k+1 1+1 d 1+2 22+3
2u 17+d 6h+2 1i+e v 79+1 a 3w 3c 3d au c a7 2i a+1 4o+e 1 34 22+4 4+1 33+5 4r h0+8 lh 3g+2 1z+1 4d+2 1+2 11+5 1+3 8p+1
60+1 3k+6 1+5 4s+6 s+1 3h+3 1n+4 1q+1 1s+7 b n6+1 8+7 8+8 2+3 2+2 3+a 1 1+9 2hm+3 1+1 34 3z+1 4+2 2 2+8 1+1 1 2+1 a+4
1+9 2+3 1 1+c 2+2 bw+2 1l 59 mwy+1 7h+2 2r a 37+5 ak+3 2e+1 14+2 1 1d+1 1b 2p+c g+1 3g+3 3i+1 g+1 6x g84+6 2 m k+1 2+3
3+2 1+3 7+2 6 1+1 45+2 1+2 2 1 1+1 a+1 3+1 r 10 2+1 be+2 ik 1c bi kn 5j v 7k+8 12 34+6 1u+6 2h+3 qg+4 18+3 59+6 31+1
1+3 3i+3 1c+1 27+3 4 d 1+2 2g+5 2z bl+4 a+1 1 2w 6y+m 2x+2 s+c 24 3m+2 70 7c+2 4b 2k+7 2b+2 1+4 2l+9 8n+4 16+1 hx+1
22+c 4v vk+4 29o+1 bjv+1 3p 1t+4 8 nm+3 93 f5o 5wn+4 2xe+1; Ps 14 1e v 2wu 1 1ge 1vi 3 12 1j f hm 1 u u6 1 1 1 1 1 1
28 w 1 1 1 1 b8 1 1 1 1 1 1 1 1 1 1 1s 1 x th 1 1 1 p i 1 1 1 bw 1 1 1 1 3 1 1 1 2 14ip 5z t 1 1 1 1 1 1 1 3 h 1 1 4q
1e v 3 2; Psalter_Pahlavi 1gu8+h 7+3 c+6; Rejang xf4+z b; Runic 4gw+22 3+a; Samaritan 1kw+19 2+e; Saurashtra xa8+1x
8+b; Sc 10 3h+3 yx 3f du+1 du+1 7 6t 7b g5 1wb 1qc+w qrb gxv 30 4a 63+1 3+1 6ba+3 12ji 1ww; Sharada 1i0w+2n; Shavian
1ff4+1b; Siddham 1itc+1h 2+11; SignWriting 2l8g+i3 f+4 1+e; Sinhala 2o1+2 1+h 3+n 1+8 1 2+6 3 4+5 1 1+7 6+9 2+2
1fcc+j; Sk 2m 1 1z 6 4 3 eh+3 c+d 5+6 1 1+g 39 e+1 zm 4l0 1+2 b+2 d+2 d+2 d+1 3a4+1 ndv+m 9+1 2v+1 r4 e+1 fuu+g or 1
4i 1c7r+4; Sm 17 g+2 1p 1 19 4 11 v la en+2 56j d 13+2 d+2 3v 13+4 6 1w+4 5+1 4 2 2 7 v+1 2 1 v+7f w+1 2i u+o 14+5 d1
9 1i+7 33 9c+4 2+u a+f 74+3m m+1q 4+v 2+75 1c+k 2+5 1524 mw 1+2 4k g+2 1p 1 3n 6+3 16fo p v p v p v p v p 4ks+1; So 4m
2 4 1 r5 7e+1 3j+1 5q a j+1 6v eb ad 3m+5 1 3o 5r 15 av+2 f 1+2 2+5 k 1 1 3p+7 1+5 1+1 5+3 5h+1 kw+9 k3 k2 4d+x 9t+9
9+8 137+1 1+3 1+1 a 1+1 6+5 1 1 1 4 b+1 e 1+1 1 1m+1 9+4 2+3 1+1 1+1 1+6 1+u 2+1 1 1+u 7g+7 4+j 2+6 2+28 1+t p+13 6+1w
p+a 29+25 m+52 1+8 1+1h 8+32 1+6v 18+17 1s+73 e8+1b l+1 6+12 2+v 1+2w 6d+5 9x+1 1a+p 1+2g c+5x q+b 8 d+1 c l+1 6+1
9c+1 4+9 w+z s+u b+t 8 f+v a+12 f+8v 534+1r h3k+1i o1+3 a+1 1 fx+2 gcm+f 3j 19+2 dg 3 4+1 d+1 8p+8 1l+g 2+2 1+c 3
1b+18 1a2+1 gf 2gm 1p1+7 4+g eve+3 5 g2e 3oz+37 1o+6t a+12 2+1n 5+2 m+1 7+t 4+1o l+1t 3 56+2e x5+e7 1j+3 1e+7 1+d 1+1
1c8 28s 3l k1+17 4+2r c+e 2+e 1+e 1+10 n+4g 1k+s d+17 4+8 7+1 e+5 4a+6y 5+k7 4+g 3+c 3+3a 4+2m 6+b 4 f+b 4+1j 8+9 6+13
8+t 2+1 26+9f c+d 2+c 3+8 7+19 1+6 8+d 4+8 7+8 7+42 1+1i; Sogdian 1hkg+15; Sora_Sompeng 1hw0+o 7+9; Soyombo 1jrk+2a;
Sundanese 5fk+1r 74+7; Syloti_Nagri x6o+18; Syriac 1ds+d 1+1n 2+2 7k+a; Tagalog 4jk+l 9; Tagbanwa 4m8+c 1+2 1+1;
Tai_Le 500+t 2+4; Tai_Tham 55s+1q 1+s 2+a 6+9 6+d; Tai_Viet xog+1u o+4; Takri 1j0g+1l 6+9; Tamil 29u+1 1+5 3+2 1+3 3+1
1 1+1 3+1 3+2 3+b 4+4 3+2 1+3 2 6 e+k 1ih1+1d d; Tangsa 1zlc+26 1+9; Tangut 20o0 v+4qf 8+lb e8+8; Telugu 2dc+c 1+2 1+m
1+f 2+8 1+2 1+3 7+1 1+2 2 2+3 2+9 7+8; Thaana 1hc+1d; Thai 2rl+1l 5+r; Tibetan 2yo+1z 1+z 4+12 1+z 1+e 1+6 4+1;
Tifinagh 8xc+1j 7+1 e; Tirhuta 1im8+1z 8+9; Toto 2nbk+u; Ugaritic 1f9c+t 1; Vai wlc+8b; Vithkuqi 1fn4+a 1+e 1+6 1+1
1+a 1+e 1+6 1+1; Wancho 2ncw+1l 5; Warang_Citi 1jfk+2a c; Yezidi 1hfk+15 1+2 2+1; Yi vls+wc 3+1i; Zanabazar_Square
1jpc+1z; Zl 6co; Zp 6cp; Zs w 3j 4bj 1vj+a 10 1b 334
"""

FOLDS = """
74+o+2+1; 8i+3+2+1; 8p+8+2+1; 96+n+2+1; ah+3+2+1; aq+2+2+1; av+1+2+1; az+1+2+1; b5+1+2+1; bc+1+2+1; bk+3+2+1;
br+1+2+1; bw+1+2+1; bz+1+2+1; c3+2+2+1; c8+1+2+1; cc+1+2+1; ck+1+2+1; cn+1+2+1; cq+1+2+1; ct+8+2+1; da+9+2+1;
dt+1+2+1; dw+1+2+1; e0+k+2+1; f6+9+2+1; fv+1+2+1; g1+1+2+1; g6+5+2+1; og+2+2+1; om+1+2+1; rc+c+2+1; s7+1+2+1;
sa+1+2+1; v4+h+2+1; wa+r+2+1; xt+7+2+1; y8+1c+2+1; 5xc+23+2+1; 61s+1c+2+1; 6mb+1+2+1; 8rk+1+2+1; 8rr+3+2+1; 8s2+1+2+1;
8s5+1+2+1; 8sg+1e+2+1; 8vf+2+2+1; 8vm+1+2+1; wu8+5+2+1; wuk+h+2+1; ww0+e+2+1; x0i+7+2+1; x0y+v+2+1; x2x+2+2+1;
x32+5+2+1; x3f+1+2+1; x3k+2+2+1; x3q+a+2+1; x4k+8+2+1; x53+2+2+1; x5c+1+2+1; x5i+2+2+1; x6d+1+2+1; ck+1+2+2; cn+1+2+2;
cq+1+2+2; dt+1+2+2; s2+1+2+7; 6at+1+2+7; r3+1+2+8; 3xs+6+1+8; 64g+8+1+8; 64w+6+1+8; 65c+8+1+8; 65s+8+1+8; 668+6+1+8;
66p+4+2+8; 674+8+1+8; 680+8+1+8; 68g+8+1+8; 68w+8+1+8; 69c+2+1+8; 6a8+2+1+8; 6ao+2+1+8; 69f+1+2+9; 69v+1+2+9;
6b7+1+2+9; xs+1+2+f; 6lc+g+1+g; 792+q+1+q; 6k2+1+2+s; pv+1+2+v; 1t+q+1+w; 5c+n+1+w; 60+7+1+w; pd+8+1+w; pm+2+1+w;
pp+5+1+w; pv+9+1+w; sw+w+1+w; 1ee9+q+1+w; 1jfk+w+1+w; 20cg+w+1+w; 2olc+y+1+y; p4+3+1+11; p2+1+2+12; 1fn4+b+1+13;
1fng+f+1+13; 1fnw+7+1+13; 1fo4+2+1+13; 1fcw+14+1+14; 1fhs+10+1+14; py+1+2+1b; 10x+12+1+1c; 8ow+1c+1+1c; x3o+1+2+1c;
ps+1+2+1i; cf+1+2+1k; pk+1+2+1l; 600+1+2+1n; pe+1+2+1q; pa+2+1+1r; p8+1+2+1s; 1h1c+1f+1+1s; g4+1+2+1x; g5+1+2+1z;
67k+2+1+22; b2+1+2+27; pt+1+2+28; sg+g+1+28; n9+1+2+2c; pm+1+2+2e; 67m+4+1+2e; pk+1+2+2k; ph+1+2+2o; b9+1+2+2p;
67q+2+1+2s; 67u+2+1+34; n9+1+2+38; ov+1+2+38; 73+1+2+3d; 67w+2+1+3i; 67s+2+1+3k; bi+1+2+3m; or+3+1+3m; be+1+2+4j;
ao+1+2+5f; b3+1+2+5m; b4+1+2+5n; ax+2+1+5p; b7+1+2+5p; au+1+2+5q; b8+1+2+5r; bb+1+2+5t; ap+1+2+5u; ba+1+2+5v;
bg+1+2+5v; bh+1+2+5x; bj+1+2+5y; c1+2+1+61; bq+1+2+62; bt+1+2+62; by+1+2+62; c7+1+2+63; 2b+1+2+8c; 51+1+2+kn;
51+1+2+lj; x4j+1+2+ps; 3bk+17+1+2bk; 3ct+3+1+2bk; 5tp+1+2+2xy; v6+1+2+4rp; tm+1+2+4t8; td+2+1+4te; te+1+2+4tf;
ta+1+2+4tg; t0+1+2+4tp; sy+1+2+4tq; 3a8+12+1+5ls; 3bb+1+2+5ls; 3bh+1+2+5ls; n9+1+2+5mh; q1+1+2+5tp; 67+1+2+5vj;
5h+1+2+6ee; 23+1+2+6hr; hp+1+2+89z; h7+1+2+8af; hd+1+2+8al; gh+1+2+8bg; gi+1+2+8bi; gg+1+2+8bj; fy+1+2+8bs;
fu+1+2+8bv; fz+2+1+8cf; 5mw+1+2+r7m; 5mw+1+2+r7n; 5tl+1+2+r9g; 5u6+1+2+raw; 3vk+28+1+tzk; im+1+2+wlu; il+1+2+wlx;
h1+1+2+wmg; hz+1+2+wmi; h8+1+2+wn5; hu+1+2+wn7; h2+1+2+wn8; h6+1+2+wn8; gx+1+2+wnf; gs+1+2+wnj
"""
