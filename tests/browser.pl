# SPDX-License-Identifier: BSD-3-Clause
# Pages to share as a real browser shows them: on a screen, on a phone, in the dark and on paper
# nothing is cut off, squeezed or too faint; nothing comes from elsewhere; hostile names and sources
# are text. Where no chromium is installed (./bootstrap --only browser) all of it is skipped.
use strict;
use warnings;
use lib 'tests';
use files;
use Cwd;
use File::Temp;
use JSON::PP;
use MIME::Base64;
use Test::More;
use chromium;

my $path = chromium::find();
plan skip_all => 'there is no chromium; ./bootstrap --only browser installs it' if !$path;

# Pages are the same whatever checks the program, and tests/page.t writes some under each.
plan skip_all => 'pages were looked at without a checker' if $ENV{PIPESIM_CHECKER};

local $SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);

# One that does not come as far as an empty page says nothing of ours.
my $browser = eval { chromium->new($path) } // eval { chromium->new($path) };
plan skip_all => "$path does not start: $@" =~ s/\s+/ /gr if !$browser;
my $program = $ENV{PIPESIM} // './pipesim';
my $input   = 'tests/golden/input';
my $folder  = File::Temp->newdir;
my $toy     = "--gpu $input/toy.xml";
delete $ENV{PIPESIM_PATH};

# ---- pages ---------------------------------------------------------------------------------------

sub graph {
    my ( $name, $attributes, $nodes ) = @_;
    return spew( "$folder/$name.idg", <<"END");
<idg xmlns="urn:pipesim:idg:1" version="1" $attributes>
  <launch groups="40" group-size="32"/>
  <code><loop times="9">$nodes</loop></code>
</idg>
END
}

# A hostile kernel: markup, quotes, what ends a comment or CDATA, what turns directions.
my $name   = q{</title><script>document.title='RAN'</script>"' onload='x ]]> --> &amp;};
my $quoted = $name =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/"/&quot;/gr;
my $file   = q{<b>'".cl};
my @source = (
    q{one &lt; "two" ]]> --> },
    q{</code></td></table></script><script>document.title='RAN'</script><img src=x onerror=alert(3)>},
    qq{\001\033[31m \377\376 \302\233 \342\200\256 },
);
spew( "$folder/$file", join "\n", @source, q{} );
my $hostile = graph(
    'hostile',
    qq{name="$quoted" title="&lt;/title>&lt;img src='http://pipesim.invalid/x'>" file="&lt;b>'&quot;.cl"},
    join q{}, map { qq{<node name="n$_" class="alu" line="$_" ops="1" type="fp32"/>} } 1 .. 3
);

my $long   = 'a_kernel_of_a_name_' . 'that_never_ends_' x 10;
my @pages  = (
    [ mmul08  => "mmul08.idg --gpu pascal.xml --groups 320 --what-if local.issue=7 --measured 0.2" ],
    [ fermi   => "mmul16.idg --gpu fermi.xml --groups 140" ],
    [ saxpy   => "saxpy.idg --gpu pascal.xml --groups 400" ],
    [ huge    => "saxpy.idg --gpu pascal.xml --groups 999999999999 --what-if global.issue=13.37 --measured 20000" ],
    [ levels  => "saxpy.idg --gpu gpus/v100.xml --groups 400" ],
    [ v100    => "mmul08.idg --gpu v100.xml --groups 160 --schedulers 4" ],
    [ nothing => "$input/chain.idg $toy --param n=0" ],
    [ hostile => "'$hostile' $toy" ],
    [
        classes => graph(
            'classes', 'name="fifty" file="fifty.cl"',
            join q{}, map { qq{<node name="n$_" class="alu.of.kind$_" line="$_" ops="1" type="fp32" after="n$_"/>} } 1 .. 50
          )
          . " $toy"
    ],
    [
        long => graph(
            'long',
            qq{name="$long" title="$long" file="$long.cl"},
            qq{<node name="$long" class="alu.$long" line="1" ops="1" type="fp32"/><node name="b" class="alu.b" line="2" after="$long"/>}
          )
          . " $toy"
    ],
);

for my $page (@pages) {
    my $said = qx($program $page->[1] --report $folder/$page->[0].html 2>&1 >/dev/null);
    is( $?, 0, "pipesim $page->[0] --report" ) or diag($said);
}

# ---- what is asked in a page ---------------------------------------------------------------------

# Each is an expression that is a list of what is wrong.
my %wrong = (

    # What reaches beyond the page, but for what scrolls by itself.
    'no wider than the page' => <<'END',
[...document.querySelectorAll("body, body *")].filter(e => {
  const scroll = e.parentElement && e.parentElement.closest(".scroll");
  return e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5 &&
    !(scroll && getComputedStyle(scroll).overflowX == "auto");
}).map(e => e.tagName + ": " + e.textContent.slice(0, 40)).concat(
  document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["it scrolls sideways"] : [])
END

    # Texts that stand letter below letter.
    'nothing squeezed' => <<'END',
[...document.querySelectorAll("th, td, dt, dd, li, p, h1, h2, h3")].filter(e => {
  const range = document.createRange();
  range.selectNodeContents(e);
  const lines = range.getBoundingClientRect().height / (parseFloat(getComputedStyle(e).lineHeight) || 20);
  return lines > 3.5 && e.textContent.length / lines < 9;
}).map(e => e.textContent.slice(0, 40))
END

    # Texts of a chart that lie on each other, or leave it. Some are turned: their boxes are, too.
    'charts are readable' => <<'END',
(() => {
  const corners = t => {
    const b = t.getBBox(), m = t.getScreenCTM(), left = b.x + 0.5, right = b.x + b.width - 0.5;
    const top = b.y + 1.5, bottom = b.y + b.height - 1.5;
    return [[left, top], [right, top], [right, bottom], [left, bottom]]
      .map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
  };
  const apart = (p, q) => p.some((from, i) => {
    const to = p[(i + 1) % 4], across = [from[1] - to[1], to[0] - from[0]];
    const along = list => list.map(c => c[0] * across[0] + c[1] * across[1]);
    const a = along(p), b = along(q);
    return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
  });
  return [...document.querySelectorAll("svg")].flatMap(svg => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim())
      .map(t => ({ is: t.textContent, at: t.getBoundingClientRect(), corners: corners(t) }));
    const out = texts.filter(t => t.at.left < frame.left - 1 || t.at.right > frame.right + 1 ||
      t.at.top < frame.top - 1 || t.at.bottom > frame.bottom + 1).map(t => "leaves: " + t.is);
    texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
      if (!apart(a.corners, b.corners) && !apart(b.corners, a.corners))
        out.push(a.is + " on " + b.is);
    }));
    return out;
  });
})()
END

    # Contrast of texts, as the Web Content Accessibility Guidelines count it: 4.5 to 1.
    'texts have contrast' => <<'END',
(() => {
  const parse = c => { const n = c.match(/[\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => e ? over(parse(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [255, 255, 255, 1];
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, style = getComputedStyle(e);
    if (!walk.currentNode.textContent.trim() || !e.getClientRects().length) continue;
    const ground = behind(e), ink = over(parse(e.closest("svg") ? style.fill : style.color), ground);
    const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.add(e.tagName + ": " + e.textContent.slice(0, 40));
  }
  return [...found];
})()
END
);

# On a phone nobody sees that a table goes on to the right; source lines may, they are seen to. Where a table's heads
# are hidden, each cell says its own.
my $cut = <<'END';
[...document.querySelectorAll("th, td, dd")].filter(e => !e.closest(".source") &&
  e.getBoundingClientRect().right > document.documentElement.clientWidth).map(e => e.textContent).concat(
[...document.querySelectorAll(".scroll")].filter(e => !e.querySelector(".source") && e.scrollWidth > e.clientWidth)
  .map(e => "scrolls: " + e.textContent.slice(0, 40)),
[...document.querySelectorAll("thead")].filter(e => !e.checkVisibility())
  .flatMap(e => [...e.closest("table").querySelectorAll("td")]).filter(e => e.textContent &&
  getComputedStyle(e, "::before").content != '"' + e.dataset.of + '"').map(e => "without its words: " + e.textContent))
END

# Tables that take no room: paper shows those that are folded up on a screen.
my $hidden = '[...document.querySelectorAll("table")].filter(e => !e.checkVisibility({ contentVisibilityAuto: true }) || !e.getBoundingClientRect().height).length';

# What a reader sees of a page without a click, down to its first table that is no list of sentences.
my $first = <<'END';
[...document.querySelectorAll("th, svg, .bar, table")].filter(e => e.checkVisibility() && !e.matches("table.facts"))
  .map(e => e.tagName == "TH" ? e.textContent : e.getAttribute("aria-labelledby") || e.className).join(", ")
END

# Shows a page, and looks at it.
sub look {
    my ( $page, $how, $width, %as ) = @_;
    $browser->show( "$folder/$page.html", $width, %as );
    is( $browser->ask('innerWidth'), $width, "$page $how" );
    $browser->ask('document.querySelectorAll("details").forEach(e => { e.open = true })') if !$as{print};
    is( $browser->ask($hidden), 0, '... all of it is shown' );
    for my $what ( sort keys %wrong ) {
        my $found = $browser->ask( $wrong{$what} );
        is( join( "\n", @{$found}[ 0 .. ( $#$found > 4 ? 4 : $#$found ) ] ), q{}, "... $what" );
    }
    if ( $as{mobile} ) {
        my $found = $browser->ask($cut);
        is( join( "\n", @{$found}[ 0 .. ( $#$found > 4 ? 4 : $#$found ) ] ), q{}, '... no number is cut off' );
    }
    my @urls = map { $_->{params}{request}{url} } $browser->events(qr/^Network\.requestWillBeSent$/);
    is( "@urls", "file://$folder/$page.html", '... it alone is loaded' );
    my @said = $browser->events(qr/^(?:Log\.entryAdded|Runtime\.(?:consoleAPICalled|exceptionThrown)|Page\.javascriptDialogOpening)$/);
    is( join( "\n", map { encode_json( $_->{params} ) } @said ), q{}, '... without a word on the console' );
    return;
}

my $ground = 'getComputedStyle(document.body).backgroundColor';
for my $page ( map { $_->[0] } @pages ) {
    look( $page, 'on a screen', 1000 );
    is( $browser->ask($ground), 'rgb(255, 255, 255)', '... light' );
    look( $page, 'on a phone in the dark', 360, mobile => 1, dark => 1 );
    is( $browser->ask($ground), 'rgb(20, 23, 27)', '... dark' );
    look( $page, 'on paper', 718, print => 1, dark => 1 );
    is( $browser->ask($ground), 'rgb(255, 255, 255)', '... white' );
}

for my $width ( 1000, 360 ) {
    $browser->show( "$folder/saxpy.html", $width, mobile => $width < 400 );
    is( $browser->ask($first), 'Limited by, Would help, How sure, roofline-t roofline-d, warps-t warps-d, bar, sweep-t sweep-d',
        "the answer, and pictures: no table is seen before a click, $width wide" );
}

# The look at charts sees a text that is put on another, be it turned or not.
for my $which ( 'text.halo[transform]', 'text.halo:not([transform])' ) {
    $browser->show( "$folder/levels.html", 1000 );
    $browser->ask("(() => { const t = document.querySelector('$which'); t.after(t.cloneNode(true)); return 1 })()");
    is( scalar @{ $browser->ask( $wrong{'charts are readable'} ) }, 1, "$which on itself is found" );
}

# ---- hostile names -------------------------------------------------------------------------------

$browser->show( "$folder/hostile.html", 1000 );
is( $browser->ask('document.querySelector("h1").textContent'), $name, 'a hostile name is shown' );
is( $browser->ask('document.title'), "$name on Toy", '... as the title, too' );
my $note = 'document.querySelector(".source").closest(".scroll").previousElementSibling';
is( $browser->ask("$note.previousElementSibling.textContent"), $file,                    '... and that of the file' );
is( $browser->ask("$note.textContent"),                        "The file $folder/$file.", '... with its folder' );
is( $browser->ask('document.querySelectorAll("script, img, b, iframe, object, link, [onload], [onerror]").length'),
    0, '... and makes no element' );
my @shown = @{ $browser->ask('[...document.querySelectorAll(".source code")].map(e => e.textContent)') };
is( $shown[0], $source[0], 'hostile source is shown' );
is( $shown[1], $source[1], '... markup, too' );
is( $shown[2], "\x{2401}\x{241b}[31m \x{fffd}\x{fffd} \x{fffd} [U+202E] ", '... and what is no text by pictures' );
is( scalar @shown, scalar @source, '... line by line' );

# Were a script to get in, it would not run.
$browser->ask('document.body.append(Object.assign(document.createElement("script"), { textContent: "document.title = 1" }))');
is( $browser->ask('document.title'), "$name on Toy", 'a script that got in does not run' );
ok( scalar $browser->events(qr/^Log\.entryAdded$/), '... which the browser says' );

# ---- on paper, and pictures ----------------------------------------------------------------------

$browser->show( "$folder/mmul08.html", 1000 );
my $pdf = decode_base64( $browser->call( 'Page.printToPDF', preferCSSPageSize => JSON::PP::true )->{data} );
my $pages = () = $pdf =~ m{/Type\s*/Page\b}g;
ok( $pages >= 2 && $pages <= 12, "is printed on few pages: $pages" );
my $picture = decode_base64( $browser->call('Page.captureScreenshot')->{data} );
cmp_ok( length $picture, '>', 20000, 'a picture of it is no blank one' );

my $home = "$browser->{home}";
undef $browser;
ok( !-e $home, 'the browser leaves no files' );

# Processes that still name its folder; those that were killed may take a moment.
sub left {
    my @left;
    for my $process ( glob '/proc/[0-9]*/cmdline' ) {
        open my $in, '<', $process or next;
        push @left, $process if ( <$in> // q{} ) =~ /\Q$home\E/;
    }
    return @left;
}
for ( 1 .. 100 ) { left() ? select undef, undef, undef, 0.1 : last }
is( join( ' ', left() ), q{}, '... and no process' );
done_testing();
